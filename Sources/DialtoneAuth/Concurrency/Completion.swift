/// A completion handler that receives a value or an error. Called on the main actor.
public typealias AuthCompletion<Value> = @MainActor @Sendable (Value?, (any Error)?) -> Void

/// A completion handler that receives an error, or nil after success. Called on the main actor.
public typealias AuthErrorCompletion = @MainActor @Sendable ((any Error)?) -> Void

/// Runs an operation, then calls a completion handler.
func complete<Value: Sendable>(
    _ completion: AuthCompletion<Value>?,
    _ operation: @escaping @Sendable () async throws -> Value
) {
    Task {
        do {
            let value = try await operation()
            await completion?(value, nil)
        } catch {
            await completion?(nil, error)
        }
    }
}

/// Runs an operation without a value, then calls a completion handler.
func complete(_ completion: AuthErrorCompletion?, _ operation: @escaping @Sendable () async throws -> Void) {
    Task {
        do {
            try await operation()
            await completion?(nil)
        } catch {
            await completion?(error)
        }
    }
}
