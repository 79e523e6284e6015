/// Calls that are sent to a cluster together. A second try sends only those that failed.
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
        // What follows a call's first command confirms it, and may be repeated.
        calls.allSatisfy { $0.isAnswered || $0.isRefused || $0.commands.first?.isRepeatable != false }
    }

    /// Whether a script has been executed.
    var hasCalledScript: Bool { calls.contains { $0.isAnswered && $0.commands.contains { $0.script != nil } } }

    /// Makes the calls that failed be sent again.
    func reset() {
        for index in calls.indices { calls[index].reset() }
    }

    /// The replies of all calls.
    /// - Throws: the first error that leaves open whether a call was executed, or else the first one.
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
