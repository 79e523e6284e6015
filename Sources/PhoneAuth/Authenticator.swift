public import Passwords
public import PhoneNumbers
public import RedisStore

/// The domain's operations: one file each (`SendVerificationCode.swift`, `SignInWithPhoneNumber.swift`, …).
///
/// An authenticator belongs to one thread, because its store has one connection. What threads share is immutable or
/// synchronized.
public struct Authenticator {
    let store: Store
    var keys: ServerKeys
    let policy: Policy
    let phoneNumbers: PhoneNumbers
    let appVerification: AppVerification
    let caches: StoreCaches
    let passwordHashing: PasswordHashing?
    let blockingHookTurns: BlockingHookTurns?
    /// The requester, on whose behalf changes are made and audited.
    public var requester: Requester
    /// The source of time and randomness.
    public let environment: Environment

    /// Creates an authenticator. Without `passwordHashing`, password sign-in is off. Without `blockingHookTurns`, no
    /// one can sign in to projects with ``BlockingHooks``.
    public init(
        store: Store,
        keys: ServerKeys,
        policy: Policy,
        phoneNumbers: PhoneNumbers,
        appVerification: AppVerification,
        caches: StoreCaches,
        passwordHashing: PasswordHashing? = nil,
        blockingHookTurns: BlockingHookTurns? = nil,
        requester: Requester = .server,
        environment: Environment
    ) {
        self.store = store
        self.keys = keys
        self.policy = policy
        self.phoneNumbers = phoneNumbers
        self.appVerification = appVerification
        self.caches = caches
        self.passwordHashing = passwordHashing
        self.blockingHookTurns = blockingHookTurns
        self.requester = requester
        self.environment = environment
    }

    /// Checks that the store responds.
    /// - Throws: ``StoreUnavailable`` if it does not.
    public func checkStore() throws(StoreUnavailable) {
        try store.ping()
    }

    /// Sets the deadline for the store's commands in the current request.
    public func setDeadline(_ deadline: ContinuousClock.Instant) {
        store.deadline = deadline
    }

    func identity(of phoneNumber: String, in project: Project) -> PhoneIdentity {
        PhoneIdentity(phoneNumber, in: project, keys, among: store.shards)
    }
}
