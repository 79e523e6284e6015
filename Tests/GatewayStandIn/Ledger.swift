internal import APNsStandIn
internal import Synchronization

/// The configured replies and the recorded requests.
final class Ledger: Sendable {
    struct State: Sendable {
        var replies: [Reply] = []
        var standing = Reply.twilioAccepted
        /// Replies according to the request, instead of `standing`.
        var respond: (@Sendable (ReceivedRequest) -> Reply)?
        var requests: [ReceivedRequest] = []
        var connectionCount = 0
        var maximumAtOnce = 0
        /// The replies to requests of which only the head has arrived, by request number.
        fileprivate var begun: [Int: Reply?] = [:]
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
                let queued = state.replies.isEmpty ? nil : state.replies.removeFirst()
                let reply = queued ?? (state.respond == nil ? state.standing : nil)
                if case .cutAtHead? = reply?.action { return .cut }
                state.begun[request] = .some(reply)
                return nil
            case .request(let number, let request):
                guard let reply = state.begun.removeValue(forKey: number) else { return nil }
                let received = ReceivedRequest(request)
                state.requests.append(received)
                return (reply ?? state.respond?(received))?.answer
            }
        }
    }
}
