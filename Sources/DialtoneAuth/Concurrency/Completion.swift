/// A completion handler that receives a value or an error. Called on the main actor.
public typealias AuthCompletion<Value> = (Value?, (any Error)?) -> Void

/// A completion handler that receives an error, or nil after success. Called on the main actor.
public typealias AuthErrorCompletion = ((any Error)?) -> Void

/// A completion handler on its way to the main actor. It is not `@Sendable`, as with the Firebase SDK, so that apps can
/// pass on those of their callers.
private struct Handler<Value: Sendable>: @unchecked Sendable {
    // Proof of `@unchecked Sendable`: `completion` is called only on the main actor, once.
    let completion: AuthCompletion<Value>?

    @MainActor func call(_ value: Value?, _ error: (any Error)?) { completion?(value, error) }
}

/// Runs an operation, then calls a completion handler.
func complete<Value: Sendable>(
    _ completion: AuthCompletion<Value>?,
    _ operation: @escaping @Sendable () async throws -> Value
) {
    let handler = Handler(completion: completion)
    Task {
        do {
            let value = try await operation()
            await handler.call(value, nil)
        } catch {
            await handler.call(nil, error)
        }
    }
}

/// Runs an operation without a value, then calls a completion handler.
func complete(_ completion: AuthErrorCompletion?, _ operation: @escaping @Sendable () async throws -> Void) {
    complete(completion.map { completion in { completion($1) } }, operation)
}
