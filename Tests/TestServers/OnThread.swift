internal import Threads

/// Does blocking work on a thread of its own, and waits for it without blocking one.
public func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        do {
            _ = try WorkThread(name: "test") { continuation.resume(returning: work()) }
        } catch {
            fatalError("\(error)")
        }
    }
}
