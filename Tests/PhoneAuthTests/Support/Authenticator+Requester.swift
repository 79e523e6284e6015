@testable import PhoneAuth

extension Authenticator {
    /// An operation in a project that begins now.
    func `in`(_ project: Project) -> OperationContext { operation(in: project) }

    /// An operation in a project that begins now; requests of one name are the same request, repeated.
    func `in`(_ project: Project, request: String) -> OperationContext { operation(in: project).repeating(request) }

    /// The same connection, whose operations have another requester.
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
    /// The same operation of another request.
    func repeating(_ requestID: String) -> OperationContext {
        OperationContext(
            authenticator: authenticator,
            project: project,
            requester: requester,
            requestID: requestID,
            now: now
        )
    }
}
