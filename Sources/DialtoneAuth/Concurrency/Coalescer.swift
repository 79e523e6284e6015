/// A runner that executes an operation once for all concurrent callers with the same key (single flight).
///
/// The operation continues if a caller is cancelled: others wait for it, and what it changes on the server must be
/// known here. A caller that is cancelled returns at once.
actor Coalescer<Key: Hashable & Sendable, Value: Sendable> {
    private var running: [Key: Task<Value, any Error>] = [:]

    /// Returns the result of the running operation with this key, or starts it.
    func value(_ key: Key, _ operation: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        return try await result(of: running[key] ?? start(key, operation))
    }

    private func start(
        _ key: Key,
        _ operation: @escaping @Sendable () async throws -> Value
    ) -> Task<Value, any Error> {
        let task = Task {
            defer { running[key] = nil }
            return try await operation()
        }
        running[key] = task
        return task
    }
}
