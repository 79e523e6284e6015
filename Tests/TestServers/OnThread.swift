internal import Threads

/// Runs blocking work on a separate thread, and waits for it without blocking a thread.
public func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        do {
            _ = try WorkThread(name: "test") { continuation.resume(returning: work()) }
        } catch {
            fatalError("\(error)")
        }
    }
}
