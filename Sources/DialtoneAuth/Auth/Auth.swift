public import Foundation

/// The entry point of this library, which signs users in and out of an app.
///
/// Everything can be called from any task or thread. Completion handlers and listeners are called on the main actor.
public final class Auth: NSObject, Sendable {
    struct State: Sendable {
        var user: User?
        var settings: AuthSettings? = AuthSettings()
        /// The number of sign-outs so far.
        var signOuts = 0
        /// Whether the store was read. Before its first unlock, a device does not reveal what is stored.
        var isRestored = false
        var languageCode: String?
        var customAuthDomain: String?
        var tenantID: String?
        var sharesAcrossDevices = false
        var listeners: [Listener] = []
        var refreshing: Task<Void, Never>?
        /// Reads the store later, if it could not be read.
        var restoring: Task<Void, Never>?
        /// Where the current session is stored.
        var place: SessionPlace
        var accessGroup: String?
        /// Nil if a fault in the configuration prevents every call.
        var client: APIClient?
        var fault: String?
        /// When the app last came to the foreground and its tokens were checked, by the device's clock.
        var lastActivation: Date?
    }

    /// The app whose users sign in; nil if the app was deleted and nothing else refers to it.
    public var app: DialtoneApp? { appReference.object }
    // Weak, because the app refers to this object.
    private let appReference: WeakReference<DialtoneApp>
    let environment: AuthEnvironment
    let clock: ServerClock
    private let isRetired = Locked(false)
    /// The app's own store.
    let store: any AuthStore
    let options: DialtoneOptions
    let state: Locked<State>
    let verifier: AppVerifier
    let sends = Coalescer<String, String>()
    let anonymousSignIns = Coalescer<Int, AuthDataResult>()
    let takeovers = Coalescer<Int, FirebaseTakeoverResult>()

    init(_ app: DialtoneApp, _ environment: AuthEnvironment = AuthEnvironment()) {
        appReference = WeakReference(app)
        self.environment = environment
        store = app.store
        clock = ServerClock(deviceTime: environment.deviceTime)
        options = app.options
        verifier = AppVerifier(AppIdentity(options), store, longestTokenWait: environment.longestTokenWait)
        let place = SessionPlace(store: store, project: options.projectID)
        state = Locked(State(place: place, fault: app.configurationFault ?? options.fault))
        super.init()
        if fault == nil, let server = options.url.flatMap(ServerURL.init) {
            let client = self.client(of: server, pins: PublicKeyPins(options.pinnedPublicKeys))
            state.withLock { $0.client = client }
        }
        restore()
        // Reading these records removes expired ones: a phone number is not kept longer than needed.
        _ = (verificationInProgress, secondFactorRecord)
    }

    func client(of server: ServerURL, pins: PublicKeyPins?) -> APIClient {
        APIClient(
            server: server,
            apiKey: options.apiKey,
            bundleID: verifier.identity?.bundleID,
            transport: HTTPTransport(pins),
            clock: clock
        )
    }

    deinit {
        state.withLock { state in
            state.refreshing?.cancel()
            state.restoring?.cancel()
        }
    }

    /// Returns the ``Auth`` of the default app. Configure the app first: without one, debug builds end here, and in
    /// release builds each call fails with a description of the error.
    public static func auth() -> Auth {
        guard let app = DialtoneApp.app() else {
            assertionFailure(notConfigured)
            return auth(app: unconfigured)
        }
        return auth(app: app)
    }

    /// Returns the ``Auth`` of an app, always the same object.
    public static func auth(app: DialtoneApp) -> Auth {
        app.auth.withLock { auth in
            let made = auth ?? Auth(app)
            auth = made
            return made
        }
    }

    private static let unconfigured = DialtoneApp(
        name: "unconfigured",
        options: DialtoneOptions(url: nil, apiKey: ""),
        store: nil,
        configurationFault: notConfigured
    )

    private static let notConfigured =
        "No app is configured. Call DialtoneApp.configure(url:apiKey:) or FirebaseApp.configure() when the app starts, "
        + "before the first Auth.auth(), which a stored property of the App may call even earlier."

    /// Returns the client of the server.
    ///
    /// - Throws: ``AuthErrorCode/internalError`` that says what is missing in the configuration.
    func api() throws -> APIClient {
        let (client, fault) = state.withLock { ($0.client, $0.fault) }
        guard let client else { throw AuthErrorCode.internalError.error(fault) }
        return client
    }

    /// The reason why every call fails; nil if there is none.
    var fault: String? { state.withLock { $0.fault } }

    /// Settings for tests. Settings that are set are copied.
    public var settings: AuthSettings? {
        get { state.withLock { $0.settings } }
        set { state.withLock { $0.settings = newValue.map(AuthSettings.init(copying:)) } }
    }

    /// The language of messages and pages, such as `fr`; nil for the server's choice.
    public var languageCode: String? {
        get { state.withLock { $0.languageCode } }
        set { state.withLock { $0.languageCode = newValue } }
    }

    /// Sets the language of messages and pages from the user's preferences.
    public func useAppLanguage() { languageCode = Locale.preferredLanguages.first }

    /// Kept for source compatibility: the configured server serves all pages.
    public var customAuthDomain: String? {
        get { state.withLock { $0.customAuthDomain } }
        set { state.withLock { $0.customAuthDomain = newValue } }
    }

    /// The tenant that users sign in to; nil, the default, for none. Kept for source compatibility: Dialtone has no
    /// tenants, so if it is set, each sign-in fails with ``AuthErrorCode/unsupportedTenantOperation``.
    public var tenantID: String? {
        get { state.withLock { $0.tenantID } }
        set { state.withLock { $0.tenantID = newValue } }
    }

    /// Kept for source compatibility: sessions never leave the device, so users sign in on each device. Each device has
    /// its own session, which can be ended separately. If this is true, ``diagnose()`` says so.
    public var shareAuthStateAcrossDevices: Bool {
        get { state.withLock { $0.sharesAcrossDevices } }
        set { state.withLock { $0.sharesAcrossDevices = newValue } }
    }
}

// MARK: - The current user

extension Auth {
    /// The signed-in user; nil if no one is signed in, or while the device's storage is still locked.
    public var currentUser: User? {
        restore()
        followGroup()
        return state.withLock { $0.user }
    }

    /// Returns the signed-in user as soon as the store can be read, such as after the first unlock of the device.
    ///
    /// - Throws: `CancellationError`.
    public func restoredUser() async throws -> User? {
        while true {
            let user = currentUser
            if state.withLock({ $0.isRestored }) { return user }
            try await sleep(seconds: 0.5)
        }
    }

    /// Signs out: removes the user from this device. A sign-in that has begun before ends without a user.
    ///
    /// - Throws: ``AuthErrorCode/keychainError`` if the session cannot be removed from the store. Then the user stays
    ///   signed in.
    public func signOut() throws {
        restore()
        try state.withLock { state in
            try storing { try state.place.store.remove(state.place.key) }
            state.isRestored = true
            state.signOuts += 1
            replace(nil, in: &state)
        }
        // A phone number is not kept longer than needed.
        if case .enrollment = secondFactorRecord?.purpose { try? store.remove(SecondFactorRecord.key) }
    }

    /// Makes a user of this ``Auth`` the current one.
    ///
    /// - Throws: ``AuthErrorCode/invalidUserToken`` if the user signed in to another app,
    ///   ``AuthErrorCode/tenantIDMismatch`` if ``tenantID`` is set, or ``AuthErrorCode/keychainError``.
    public func updateCurrentUser(_ user: User) async throws { try update(user, since: signOuts) }

    private func update(_ user: User, since signOuts: Int) throws {
        guard user.auth === self else {
            throw AuthErrorCode.invalidUserToken.error("The user signed in to another app.")
        }
        guard user.tenantID == tenantID else { throw AuthErrorCode.tenantIDMismatch.error() }
        try become(user, since: signOuts)
    }

    /// Makes a user of this ``Auth`` the current one; see ``updateCurrentUser(_:)``.
    public func updateCurrentUser(_ user: User?, completion: AuthErrorCompletion? = nil) {
        let signOuts = signOuts
        complete(completion) {
            guard let user else { throw AuthErrorCode.nullUser.error() }
            try self.update(user, since: signOuts)
        }
    }

    /// Reads the stored session, once. A store that cannot be read is read again at the next call, and also after some
    /// time, because apps that only listen make no calls.
    func restore() {
        state.withLock { state in
            guard !state.isRestored else { return }
            do {
                if state.place.key == StoredSession.key, let group = try store.read(StoredSession.accessGroupKey) {
                    let name = String(decoding: group, as: UTF8.self)
                    state.place = try place(ofGroup: name)
                    state.accessGroup = name
                    // Left behind if the app ended while it joined the group.
                    try? store.remove(StoredSession.key)
                }
                let session = try state.place.session()
                state.isRestored = true
                state.restoring = nil
                take(session, in: &state)
            } catch {
                if state.restoring == nil { state.restoring = restoreLater() }
            }
        }
    }

    /// Makes the user of a stored session the current user; for nil, there is no current user.
    func take(_ session: StoredSession?, in state: inout State) {
        if let session { clock.restore(session.clockOffset) }
        replace(session.map { User(self, $0.account, $0.tokens) }, in: &state)
    }

    private func restoreLater() -> Task<Void, Never> {
        Task { [weak self] in
            var wait: TimeInterval = 0.5
            while (try? await sleep(seconds: wait)) != nil, let self {
                restore()
                if state.withLock({ $0.isRestored }) { return }
                wait = min(wait * 2, 60)
            }
        }
    }

    /// The number of sign-outs so far: a sign-in remembers it when it begins.
    var signOuts: Int { state.withLock { $0.signOuts } }

    /// Ends a sign-in that began before a sign-out, which is final.
    func requireNoSignOut(since signOuts: Int) throws {
        guard signOuts == self.signOuts else { throw CancellationError() }
    }

    /// Stores a user who has signed in, and makes them the current user.
    ///
    /// - Throws: also `CancellationError` after another number of sign-outs.
    func become(_ user: User, since signOuts: Int) throws {
        try state.withLock { state in
            guard state.signOuts == signOuts else { throw CancellationError() }
            try write(user, to: state.place)
            state.isRestored = true
            replace(user, in: &state)
        }
    }

    /// Stores a user and makes them the current user, unless another user has signed in or out meanwhile. Returns
    /// whether they are the current user.
    func becomeUnlessSignedIn(_ user: User, since signOuts: Int) throws -> Bool {
        try state.withLock { state in
            guard state.user == nil, state.signOuts == signOuts else { return false }
            try write(user, to: state.place)
            state.isRestored = true
            replace(user, in: &state)
            return true
        }
    }

    /// Stores the state of a user, if they are the current user: a sign-out during a request is final.
    func save(_ user: User) {
        state.withLock { state in
            guard state.user === user else { return }
            if state.accessGroup != nil, !followGroup(in: &state) { return }
            keep(user, in: &state)
        }
    }

    /// Stores the state of a user, now or at the next use of the tokens.
    func keep(_ user: User, in state: inout State) {
        let isUnsaved = (try? write(user, to: state.place)) == nil
        user.state.withLock { $0.isUnsaved = isUnsaved }
    }

    func tokensChanged(of user: User) {
        save(user)
        state.withLock { state in
            if state.user === user { notify(state.listeners.filter { !$0.isOfState }, user, isChange: true) }
        }
    }

    /// Signs a user out if an error says that the session has ended. Nothing else signs a user out, in particular no
    /// unreachable or overloaded server.
    func endSession(of user: User, after error: any Error) {
        if Self.isEndOfSession(error) { forget(user) }
    }

    /// Returns whether an error says that the user must sign in again.
    static func isEndOfSession(_ error: any Error) -> Bool {
        [.userNotFound, .userDisabled, .invalidUserToken, .userTokenExpired].contains(AuthErrorCode(error))
    }

    /// Signs out a user whose session has ended, if they are the current user.
    func forget(_ user: User) {
        state.withLock { state in
            guard state.user === user else { return }
            if state.accessGroup != nil {
                // Another app of the group may have signed in again.
                let ended = user.tokens
                guard followGroup(in: &state), user.tokens == ended else { return }
            }
            // If the session cannot be removed, the server rejects it after the next start.
            try? state.place.store.remove(state.place.key)
            replace(nil, in: &state)
        }
    }

    /// Stops storing sessions and refreshing tokens: the app was configured again, and its new ``Auth`` does this.
    func retire() {
        isRetired.withLock { $0 = true }
        state.withLock { $0.refreshing?.cancel() }
    }

    private func write(_ user: User, to place: SessionPlace) throws {
        guard !isRetired.withLock({ $0 }) else { throw CancellationError() }
        let (account, tokens) = user.state.withLock { ($0.account, $0.tokens) }
        let session = StoredSession(account: account, tokens: tokens, clockOffset: clock.offset)
        try storing { try place.store.write(try JSONEncoder().encode(session), for: place.key) }
    }

    /// Runs a function of the store and converts its errors, which may be of any type, because apps may supply their
    /// own store.
    func storing<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error where AuthErrorCode(error) == nil {
            throw AuthErrorCode.keychainError.error(info: [NSUnderlyingErrorKey: error])
        }
    }

    func replace(_ user: User?, in state: inout State) {
        let former = state.user
        if former == nil, user == nil { return }
        state.user = user
        state.refreshing?.cancel()
        state.refreshing = user.map(refreshAhead)
        notify(state.listeners.filter { !$0.isOfState || former?.uid != user?.uid }, user, isChange: true)
    }
}

extension Auth: CustomReflectable {
    /// Empty, because secrets must not reach logs.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
