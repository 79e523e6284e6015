internal import Foundation

/// A value behind a lock. `Mutex` requires newer systems than this library.
final class Locked<Value: Sendable>: @unchecked Sendable {
    // Proof of `@unchecked Sendable`: `value` is Sendable, private, and read and written only while `lock` is held.
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    /// Calls a function with exclusive access to the value. The function must not block.
    func withLock<Result: Sendable>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

/// A reference that does not keep its object alive.
struct WeakReference<Object: AnyObject & Sendable>: Sendable {
    private(set) weak var object: Object?

    init(_ object: Object) { self.object = object }
}
