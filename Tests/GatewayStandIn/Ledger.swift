internal import APNsStandIn
internal import Synchronization

/// The configured replies and the recorded requests.
final class Ledger: Sendable {
    struct State: Sendable {
        var replies: [Reply] = []
        var standing = Reply.twilioAccepted
        var requests: [ReceivedRequest] = []
        var connectionCount = 0
        var maximumAtOnce = 0
        /// The replies to requests of which only the head has arrived, by request number.
        fileprivate var begun: [Int: Reply] = [:]
    }

    let state = Mutex(State())

    /// Records a report, and returns the reaction to a request.
    func record(_ report: StandInReport) -> StandInAnswer? {
        state.withLock { state in
            switch report {
            case .connection:
                state.connectionCount += 1
                return nil
            case .head(let request, let atOnce):
                state.maximumAtOnce = max(state.maximumAtOnce, atOnce)
                let reply = state.replies.isEmpty ? state.standing : state.replies.removeFirst()
                if case .cutAtHead = reply.action { return .cut }
                state.begun[request] = reply
                return nil
            case .request(let number, let request):
                guard let reply = state.begun.removeValue(forKey: number) else { return nil }
                state.requests.append(ReceivedRequest(request))
                return reply.answer
            }
        }
    }
}
