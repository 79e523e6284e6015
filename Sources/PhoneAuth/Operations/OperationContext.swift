public import Encodings
internal import PhoneNumbers
public import RedisScripts

/// The context of one request's operation in a project. The domain's operations are its methods, one file each
/// (`SendVerificationCode.swift`, `SignInWithPhoneNumber.swift`, …).
///
/// ```swift
/// let operation = authenticator.operation(in: project, for: requester)
/// let sent = try operation.sendVerificationCode(request)
/// let signedIn = try operation.signInWithPhoneNumber(answer)
/// ```
public struct OperationContext {
    /// What the deployment provides.
    public let authenticator: Authenticator
    /// The project that the operation is in.
    public private(set) var project: Project
    /// The requester, on whose behalf changes are made and audited.
    public let requester: Requester
    /// The front end's id of the request, which a repeated request keeps; a random id if there is no such request.
    public let requestID: String
    /// The request, if the client may repeat it under its own key.
    let repeatable: RepeatableRequest?
    /// When the operation began.
    public private(set) var now: Instant
    /// The project's settings, if the operation has read them.
    private(set) var knownSettings: ProjectSettings?

    var store: Store { authenticator.store }
    var keys: ServerKeys { authenticator.keys }
    var policy: Policy { authenticator.policy }
    var phoneNumbers: PhoneNumbers { authenticator.phoneNumbers }
    var caches: StoreCaches { authenticator.caches }
    var environment: Environment { authenticator.environment }

    /// Returns the same operation at the current time, for operations that have waited for a password hash, a blocking
    /// hook or a CAPTCHA provider.
    public func resumed() -> OperationContext {
        var operation = self
        operation.now = environment.now()
        operation.knownSettings = nil
        return operation
    }

    /// Returns the same operation, in the project with the operators' changes. See ``Authenticator/configured(_:)``.
    /// - Throws: ``StoreUnavailable``.
    public func configured() throws(StoreUnavailable) -> OperationContext {
        let settings = try settings()
        var operation = self
        operation.project = settings.configuration.map(project.configured) ?? project
        operation.knownSettings = settings
        return operation
    }

    /// Returns the project's settings in the store, of which an operation sees one version until it is ``resumed()``.
    func settings() throws(StoreUnavailable) -> ProjectSettings {
        if let knownSettings { return knownSettings }
        return try authenticator.settings(of: project)
    }

    /// Performs a step that the operation does not depend on. If the store does not respond, the step is dropped: this
    /// logs it with the request's id, and returns nil.
    @discardableResult
    public func bestEffort<Value>(
        _ step: StaticString,
        _ work: @autoclosure () throws(StoreUnavailable) -> Value
    ) -> Value? {
        authenticator.bestEffort(step, of: requestID, try work())
    }
}

extension Authenticator {
    /// Returns the context of one request's operation in a project, which begins now. Without a `requester`, it is the
    /// authenticator's.
    public func operation(in project: Project, for requester: Requester? = nil) -> OperationContext {
        let requester = requester ?? self.requester
        return OperationContext(
            authenticator: self,
            project: project,
            requester: requester,
            requestID: requester.requestID ?? Base64URL.string(environment.randomBytes(16)),
            repeatable: requester.idempotencyKey.map(RepeatableRequest.init),
            now: environment.now()
        )
    }
}
