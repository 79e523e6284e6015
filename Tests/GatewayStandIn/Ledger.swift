internal import NIOCore
internal import Synchronization

/// What the stand-in was told to do and what it has seen.
final class Ledger: Sendable {
    struct State: Sendable {
        var replies: [Reply] = []
        var standing = Reply.twilioAccepted
        var requests: [ReceivedRequest] = []
        var connectionCount = 0
        var open: [Int: any Channel] = [:]
        var atOnce = 0
        var maximumAtOnce = 0
    }

    let state = Mutex(State())

    func connected(_ channel: any Channel) -> Int {
        let number = state.withLock { state in
            state.connectionCount += 1
            state.open[state.connectionCount] = channel
            return state.connectionCount
        }
        channel.closeFuture.whenComplete { [self] _ in state.withLock { $0.open[number] = nil } }
        return number
    }

    func began() -> Reply {
        state.withLock { state in
            state.atOnce += 1
            state.maximumAtOnce = max(state.maximumAtOnce, state.atOnce)
            return state.replies.isEmpty ? state.standing : state.replies.removeFirst()
        }
    }

    func received(_ request: ReceivedRequest) {
        state.withLock { $0.requests.append(request) }
    }

    func answered() {
        state.withLock { $0.atOnce -= 1 }
    }
}
