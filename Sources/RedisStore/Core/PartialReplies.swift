internal import Redis

/// The replies to commands in several slots. In a cluster, a failed node affects only its own slots.
struct PartialReplies<Element> {
    var replies: [(element: Element, reply: ScriptReply)] = []
    /// The commands that were not executed, or whose outcome is unknown.
    var failures: [(element: Element, error: RedisError)] = []
}

extension RedisError {
    /// Whether a stream or its consumer group does not exist.
    var meansNoGroup: Bool {
        if case .server(let error) = self { error.code == "NOGROUP" } else { false }
    }
}
