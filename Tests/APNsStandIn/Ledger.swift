internal import NIOCore
internal import Synchronization

/// What the stand-in was told to answer and what it has seen.
final class Ledger: Sendable {
    private let state = Mutex(State())

    private struct State: Sendable {
        var answers: [String: [ScriptedAnswer]] = [:]
        var queue: [ScriptedAnswer] = []
        var pushes: [ReceivedPush] = []
        var connectionCount = 0
        var open: [Int: any Channel] = [:]
        var streamCounts: [Int: Int] = [:]
        var waiting: [Waiter] = []
        var nextWaiter = 0
    }

    private struct Waiter: Sendable {
        let number: Int
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    var pushes: [ReceivedPush] { state.withLock { $0.pushes } }
    var connectionCount: Int { state.withLock { $0.connectionCount } }
    var openConnections: [(number: Int, channel: any Channel)] {
        state.withLock { state in state.open.map { ($0.key, $0.value) } }
    }

    func set(_ answers: [ScriptedAnswer], for deviceToken: String) {
        state.withLock { $0.answers[deviceToken] = answers }
    }

    func queue(_ answers: [ScriptedAnswer]) {
        state.withLock { $0.queue += answers }
    }

    func connected(_ channel: any Channel) -> Int {
        let number = state.withLock { state in
            state.connectionCount += 1
            state.open[state.connectionCount] = channel
            return state.connectionCount
        }
        channel.closeFuture.whenComplete { [self] _ in state.withLock { $0.open[number] = nil } }
        return number
    }

    func openedStream(on connection: Int) {
        state.withLock { $0.streamCounts[connection, default: 0] += 1 }
    }

    /// How many streams the client has opened on a connection.
    func streamCount(of connection: Int) -> Int { state.withLock { $0.streamCounts[connection] ?? 0 } }

    /// Notes a push and tells what to do with it: what is set for its device, the last of that again and again;
    /// else the next of the queue; else it is taken.
    func record(_ push: ReceivedPush) -> ScriptedAnswer {
        let (answer, ready) = state.withLock { state in
            state.pushes.append(push)
            let ready = state.waiting.filter { $0.count <= state.pushes.count }
            state.waiting.removeAll { $0.count <= state.pushes.count }
            return (Self.next(&state, for: push.deviceToken), ready)
        }
        for waiter in ready { waiter.continuation.resume() }
        return answer
    }

    private static func next(_ state: inout State, for deviceToken: String) -> ScriptedAnswer {
        if let answers = state.answers[deviceToken], let first = answers.first {
            if answers.count > 1 { state.answers[deviceToken] = Array(answers.dropFirst()) }
            return first
        }
        return state.queue.isEmpty ? .accepted : state.queue.removeFirst()
    }

    /// Waits until there have been so many pushes, or the task is cancelled.
    func waitForPushes(_ count: Int) async {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.pushes.count >= count || Task.isCancelled { return true }
                    state.waiting.append(Waiter(number: number, count: count, continuation: continuation))
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
            }
            waiter?.continuation.resume()
        }
    }
}
