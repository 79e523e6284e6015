internal import Synchronization

/// A limit on the number of concurrent requests. Further requests wait in FIFO order.
final class RequestLimit: Sendable {
    private let state: Mutex<State>

    private struct State: Sendable {
        var free: Int
        var nextNumber: UInt64 = 0
        var waiting: [(number: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    init(_ count: Int) {
        precondition(count > 0, "a request limit must be positive")
        state = Mutex(State(free: count))
    }

    /// Runs `request` as soon as there is room. Returns nil, without running it, if the task is cancelled first.
    func run<Answer: Sendable>(_ request: () async -> Answer) async -> Answer? {
        guard await enter() else { return nil }
        defer { leave() }
        return await request()
    }

    private func enter() async -> Bool {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isIn: Bool? = state.withLock { state in
                    if Task.isCancelled { return false }
                    if state.free > 0 {
                        state.free -= 1
                        return true
                    }
                    state.waiting.append((number, continuation))
                    return nil
                }
                if let isIn { continuation.resume(returning: isIn) }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).continuation }
            }
            continuation?.resume(returning: false)
        }
    }

    private func leave() {
        let next: CheckedContinuation<Bool, Never>? = state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst().continuation }
            state.free += 1
            return nil
        }
        next?.resume(returning: true)
    }
}
