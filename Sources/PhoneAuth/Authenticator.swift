public import Passwords
public import PhoneNumbers
public import RedisStore

/// The domain's operations: one file each (`SendVerificationCode.swift`, `SignInWithPhoneNumber.swift`, …).
///
/// It belongs to one thread, because its store has one connection; what threads share is immutable or locks itself.
public struct Authenticator {
    let store: Store
    var keys: ServerKeys
    let policy: Policy
    let phoneNumbers: PhoneNumbers
    let appVerification: AppVerification
    let caches: StoreCaches
    let passwordHashing: PasswordHashing?
    let blockingHookTurns: BlockingHookTurns?
    /// Whose changes it makes.
    public var requester: Requester
    /// Where its time and randomness come from.
    public let environment: Environment

    /// Puts the parts together. Without `passwordHashing` nobody signs in with a password; without `blockingHookTurns` nobody
    /// does in projects with ``BlockingHooks``.
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

    /// Whether the store answers.
    /// - Throws: ``StoreUnavailable`` where it does not.
    public func checkStore() throws(StoreUnavailable) {
        try store.ping()
    }

    /// Until when the store may take its time in the request at hand.
    public func setDeadline(_ deadline: ContinuousClock.Instant) {
        store.deadline = deadline
    }

    func identity(of phoneNumber: String, in project: Project) -> PhoneIdentity {
        PhoneIdentity(phoneNumber, in: project, keys, among: store.shards)
    }
}
