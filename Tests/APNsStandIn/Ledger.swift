internal import Synchronization

/// The configured responses and the recorded pushes.
final class Ledger: Sendable {
    let state = Mutex(State())

    struct State: Sendable {
        var answers: [String: [ScriptedAnswer]] = [:]
        var queue: [ScriptedAnswer] = []
        var pushes: [ReceivedPush] = []
        var connectionCount = 0

        /// Returns the device's next response (the last one repeats), else the next one of the queue, else acceptance.
        fileprivate mutating func nextAnswer(for deviceToken: String) -> ScriptedAnswer {
            if let answers = answers[deviceToken], let first = answers.first {
                if answers.count > 1 { self.answers[deviceToken] = Array(answers.dropFirst()) }
                return first
            }
            return queue.isEmpty ? .accepted : queue.removeFirst()
        }
    }

    /// Records a report, and returns what to do with a push.
    func record(_ report: StandInReport) -> StandInAnswer? {
        state.withLock { state in
            guard case .request(_, let push) = report else {
                state.connectionCount += 1
                return nil
            }
            state.pushes.append(push)
            return state.nextAnswer(for: push.deviceToken).answer
        }
    }
}
