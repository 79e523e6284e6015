public import Passwords
public import PhoneNumbers
public import RedisScripts

/// A thread's part of the deployment: the store's connection, the keys, the policy, and whatever else operations use.
/// Operations in a project are methods of ``OperationContext``.
///
/// An authenticator belongs to one thread, because its store has one connection. What threads share is immutable or
/// synchronized.
public final class Authenticator {
    let store: Store
    var keys: ServerKeys
    let policy: Policy
    let phoneNumbers: PhoneNumbers
    let appVerification: AppVerification
    let caches: StoreCaches
    let forwardedUsers: ForwardedUserCache
    let passwordHashing: PasswordHashing?
    let blockingHookSlots: BlockingHookSlots?
    /// Exchanges Firebase's refresh tokens; nil if no project takes over Firebase sessions.
    public var firebaseTokens: (any FirebaseTokenExchange)?
    /// How long a sign-in counts as recent, for the operations that require a recent sign-in.
    public var recentSignIn: Duration { policy.recentSignIn }
    /// Whether this is a development server.
    public var isDevelopment: Bool { policy.development != nil }
    /// Whether operators may import passwords of Firebase's emulator, which are in plain text.
    public var allowsEmulatorPasswords: Bool { policy.development != nil }
    /// The requester of operations that no request asks for: the server, or an operator on the command line.
    let requester: Requester
    /// The source of time and randomness.
    public let environment: Environment
    private let logDroppedStep: @Sendable (DroppedStep) -> Void

    /// Creates an authenticator. Without `passwordHashing`, password sign-in is off. Without `blockingHookSlots`, no
    /// one can sign in to projects with ``BlockingHooks``. `logDroppedStep` logs a step that an operation does not
    /// depend on and that the store did not perform.
    public init(
        store: Store,
        keys: ServerKeys,
        policy: Policy,
        phoneNumbers: PhoneNumbers,
        appVerification: AppVerification,
        caches: StoreCaches,
        forwardedUsers: ForwardedUserCache = ForwardedUserCache(),
        passwordHashing: PasswordHashing? = nil,
        blockingHookSlots: BlockingHookSlots? = nil,
        requester: Requester = .server,
        environment: Environment,
        logDroppedStep: @escaping @Sendable (DroppedStep) -> Void = { _ in }
    ) {
        self.store = store
        self.keys = keys
        self.policy = policy
        self.phoneNumbers = phoneNumbers
        self.appVerification = appVerification
        self.caches = caches
        self.forwardedUsers = forwardedUsers
        self.passwordHashing = passwordHashing
        self.blockingHookSlots = blockingHookSlots
        self.requester = requester
        self.environment = environment
        self.logDroppedStep = logDroppedStep
        // While Redis or a node of a cluster is down, every request drops steps.
        var nextReports: [String: ContinuousClock.Instant] = [:]
        func report(_ step: String, _ error: StoreUnavailable) {
            guard nextReports[step].map({ $0 <= .now }) ?? true else { return }
            nextReports[step] = .now + Self.reportInterval
            logDroppedStep(DroppedStep(name: step, requestID: nil, error: error))
        }
        store.onPartialFailure = { report("use all nodes of the cluster", $0) }
        store.onDroppedStep = { report("\($0)", $1) }
    }

    /// The minimum time between two reports of a step that the store drops.
    private static let reportInterval: Duration = .seconds(5)

    /// Checks that the store responds.
    /// - Throws: ``StoreUnavailable`` if it does not.
    public func checkStore() throws(StoreUnavailable) {
        try store.ping()
    }

    /// Checks that the store still is this deployment's. Call it before a client learns that an account or a session
    /// does not exist: SDKs then delete the user.
    /// - Throws: ``StoreUnavailable`` if it is not, or does not respond.
    public func confirmDeployment() throws(StoreUnavailable) {
        try store.confirmDeployment()
    }

    /// Returns why the store is not this deployment's; nil if it is.
    /// - Throws: ``StoreUnavailable`` if it does not respond.
    public func deploymentMismatch() throws(StoreUnavailable) -> DeploymentMismatch? {
        try store.deploymentMismatch()
    }

    /// Sets the deadline for the store's commands in the current request.
    public func setDeadline(_ deadline: ContinuousClock.Instant) {
        store.deadline = deadline
    }

    /// Performs a step that an operation does not depend on, such as a cleanup. If the store does not respond, the step
    /// is dropped: this logs it, with the request's id if it is part of one, and returns nil.
    @discardableResult
    func bestEffort<Value>(
        _ step: StaticString,
        of requestID: String? = nil,
        _ work: @autoclosure () throws(StoreUnavailable) -> Value
    ) -> Value? {
        do {
            return try work()
        } catch {
            logDroppedStep(DroppedStep(name: "\(step)", requestID: requestID, error: error))
            return nil
        }
    }
}

/// A step that an operation does not depend on, and that the store did not perform.
public struct DroppedStep: Sendable {
    /// What the step does, such as `release a number`.
    public let name: String
    /// The id of the request that it was part of, as in the request's log line; nil outside of a request, and for a
    /// step of the store, which does not know the request.
    public let requestID: String?
    /// Why it was not performed.
    public let error: StoreUnavailable
}

extension Authenticator {
    /// Checks that the store is this deployment's, and makes this authenticator hash under the index key in force. Call
    /// it before each unit of work.
    /// - Throws: ``StoreUnavailable`` if the store is another deployment's, its index key is being moved or is not in
    ///   the key file, or it does not respond.
    public func checkDeployment() throws(StoreUnavailable) {
        let shared = try caches.indexKeyID.value { () throws(StoreUnavailable) in try store.indexKeyState().id }
        // Another thread may have read the shared value before a move, and this one has not connected since.
        let id = store.indexKeyID == shared ? shared : try store.indexKeyState().id
        guard id != keys.indexKey.id || !keys.hasUsedIndexKey else { return }
        guard let keys = keys.hashing(under: id) else {
            throw StoreUnavailable(description: "index-\(id) is in force, which is not in this machine's key file")
        }
        self.keys = keys
    }

    func seal(_ plaintext: [UInt8], _ context: SealingContext) throws(OperationFailure) -> [UInt8] {
        do {
            return try keys.data.seal(plaintext, context: context, environment)
        } catch {
            throw .cryptographyFailed
        }
    }
}

extension Authenticator {
    /// The public keys that verify ID tokens: the current signing key, the next one, and the former ones whose tokens
    /// are still valid.
    public var publishedKeys: [SigningKey] { keys.signingKeys.current.published }

    /// The time for which verifiers may cache the keys. A key is published for longer than that before it signs, unless
    /// the operator lets it sign at once because the old key is compromised.
    public var publicKeyCacheLifetime: Duration { policy.publicKeyCacheLifetime }
}
