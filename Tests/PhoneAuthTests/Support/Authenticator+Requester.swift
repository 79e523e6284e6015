@testable import PhoneAuth

extension Authenticator {
    /// Returns an operation in a project that begins now.
    func `in`(_ project: Project) -> OperationContext { operation(in: project) }

    /// Returns an operation in a project that begins now. Equal ids denote the same request, repeated.
    func `in`(_ project: Project, request: String) -> OperationContext { operation(in: project).repeating(request) }

    /// Returns an authenticator on the same connection whose operations have another requester.
    func working(for requester: Requester) -> Authenticator {
        Authenticator(
            store: store,
            keys: keys,
            policy: policy,
            phoneNumbers: phoneNumbers,
            appVerification: appVerification,
            caches: caches,
            passwordHashing: passwordHashing,
            blockingHookSlots: blockingHookSlots,
            requester: requester,
            environment: environment
        )
    }
}

extension OperationContext {
    /// Returns the same operation with another request id.
    func repeating(_ requestID: String) -> OperationContext {
        OperationContext(
            authenticator: authenticator,
            project: project,
            requester: requester,
            requestID: requestID,
            repeatable: nil,
            now: now
        )
    }
}
