/// Calls that are sent to a cluster together. A second try sends only the calls that failed.
final class ClusterExchange {
    var calls: [ClusterCall]
    /// Whether nothing is sent if one of the nodes cannot be reached.
    let requiresAllNodes: Bool

    init(_ calls: [ClusterCall], requiresAllNodes: Bool = true) {
        self.calls = calls
        self.requiresAllNodes = requiresAllNodes
    }

    /// Whether the calls without replies may be resent although they may have been executed.
    var isRepeatable: Bool {
        // The commands after a call's first one only confirm it, and may be repeated.
        calls.allSatisfy { $0.isAnswered || $0.isRefused || $0.commands.first?.isRepeatable != false }
    }

    /// Whether a script has been executed.
    var hasCalledScript: Bool { calls.contains { $0.isAnswered && $0.commands.contains { $0.script != nil } } }

    /// Resets the calls that failed, so that they are sent again.
    func reset() {
        for index in calls.indices { calls[index].reset() }
    }

    /// The replies of all calls.
    /// - Throws: the first error that leaves open whether a call was executed; otherwise, the first error.
    func replies() throws(RedisError) -> [[Reply]] {
        var replies: [[Reply]] = []
        var failure: RedisError?
        for call in calls {
            switch call.outcome {
            case .success(let list): replies.append(list)
            case .failure(let error):
                if failure == nil || error.isReplyLost && failure?.isReplyLost == false { failure = error }
            case nil: break
            }
        }
        if let failure { throw failure }
        return replies
    }
}
