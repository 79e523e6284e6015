public import Foundation

/// A signed-in user. The object can still be used after a sign-out or another sign-in, but then changes nothing that is
/// stored.
public final class User: NSObject, UserInfo {
    struct State: Sendable {
        var account: Account
        var tokens: Tokens
        /// Whether the store lacks the current state, because writing it failed.
        var isUnsaved = false
        /// The number of account requests so far, and the number of the request that returned the current account.
        var requestCount = 0
        var requestOfAccount = 0
    }

    /// The ``Auth`` that the user signed in with; nil if it was deallocated.
    var auth: Auth? { authReference.object }
    // Weak, because the Auth refers to its user.
    private let authReference: WeakReference<Auth>
    let state: Locked<State>
    /// Whether the ``Auth`` uses another server since, which must not receive the user's tokens.
    let isOfFormerServer = Locked(false)
    private let refreshes = Coalescer<String, Tokens>()
    /// The user's ID. It never changes: tokens and profiles of other accounts are rejected.
    public let uid: String

    init(_ auth: Auth, _ account: Account, _ tokens: Tokens) {
        authReference = WeakReference(auth)
        uid = account.uid
        state = Locked(State(account: account, tokens: tokens))
    }

    /// Returns the ``Auth`` of the user.
    ///
    /// - Throws: ``AuthErrorCode/internalError`` if it was deallocated: then no requests can be sent for the user.
    func existingAuth() throws -> Auth {
        guard let auth else {
            throw AuthErrorCode.internalError.error(
                "The user's Auth no longer exists. Keep a reference to it, or keep its app configured."
            )
        }
        return auth
    }

    /// Returns the client of the server that the user signed in to.
    private func api() throws -> APIClient {
        let api = try existingAuth().api()
        guard !isOfFormerServer.withLock({ $0 }) else {
            throw AuthErrorCode.internalError.error("The user belongs to the server before useEmulator.")
        }
        return api
    }

    var account: Account { state.withLock { $0.account } }
    var tokens: Tokens { state.withLock { $0.tokens } }

    /// Always `Firebase`.
    public var providerID: String { "Firebase" }
    /// The display name.
    public var displayName: String? { account.displayName }
    /// The URL of a picture.
    public var photoURL: URL? { account.photoURL }
    /// The e-mail address.
    public var email: String? { account.email }
    /// Whether the e-mail address was verified.
    public var isEmailVerified: Bool { account.isEmailVerified }
    /// The phone number with which the user signs in, in E.164 form.
    public var phoneNumber: String? { account.phoneNumber }
    /// Whether the user signed in anonymously.
    public var isAnonymous: Bool { account.isAnonymous }
    /// The user's sign-in methods.
    public var providerData: [any UserInfo] { account.providers }
    /// When the account was created, and the last sign-in.
    public var metadata: UserMetadata { account.metadata }
    /// The refresh token. It must not reach logs.
    public var refreshToken: String? { tokens.refreshToken }
    /// Kept for source compatibility: always nil, because Dialtone has no tenants.
    public var tenantID: String? { nil }
    /// The user's second factors.
    public var multiFactor: MultiFactor { MultiFactor(self) }
}

// MARK: - Tokens

extension User {
    /// Returns an ID token that is valid for at least five minutes, for your own servers.
    ///
    /// Concurrent calls share one request. An unreachable or overloaded server never ends the session.
    ///
    /// - Parameter forceRefresh: whether to replace a token that is still valid, for example after claims were changed.
    /// - Returns: the token. It must not reach logs.
    /// - Throws: ``AuthErrorCode/userTokenExpired`` if the session has ended, ``AuthErrorCode/networkError``, or
    ///   another ``AuthErrorCode``.
    public func getIDToken(forcingRefresh forceRefresh: Bool = false) async throws -> String {
        try await validTokens(forcingRefresh: forceRefresh).idToken
    }

    /// Returns an ID token; see ``getIDToken(forcingRefresh:)``.
    public func idTokenForcingRefresh(_ forceRefresh: Bool) async throws -> String {
        try await getIDToken(forcingRefresh: forceRefresh)
    }

    /// Passes an ID token to a completion handler; see ``getIDToken(forcingRefresh:)``.
    public func getIDToken(completion: AuthCompletion<String>?) {
        complete(completion) { try await self.getIDToken() }
    }

    /// Passes an ID token to a completion handler; see ``getIDToken(forcingRefresh:)``.
    public func getIDTokenForcingRefresh(_ forceRefresh: Bool, completion: AuthCompletion<String>?) {
        complete(completion) { try await self.getIDToken(forcingRefresh: forceRefresh) }
    }

    /// Returns an ID token with its claims; see ``getIDToken(forcingRefresh:)``.
    public func getIDTokenResult(forcingRefresh forceRefresh: Bool = false) async throws -> AuthTokenResult {
        try await AuthTokenResult(getIDToken(forcingRefresh: forceRefresh))
    }

    /// Passes an ID token with its claims to a completion handler; see ``getIDToken(forcingRefresh:)``.
    public func getIDTokenResult(completion: AuthCompletion<AuthTokenResult>?) {
        complete(completion) { try await self.getIDTokenResult() }
    }

    /// Passes an ID token with its claims to a completion handler; see ``getIDToken(forcingRefresh:)``.
    public func getIDTokenResult(forcingRefresh: Bool, completion: AuthCompletion<AuthTokenResult>?) {
        complete(completion) { try await self.getIDTokenResult(forcingRefresh: forcingRefresh) }
    }

    func validTokens(forcingRefresh: Bool = false) async throws -> Tokens {
        let auth = try existingAuth()
        if state.withLock({ $0.isUnsaved }) { auth.save(self) }
        auth.followGroup()
        let tokens = tokens
        if !forcingRefresh, tokens.isValid(at: auth.clock.now) { return tokens }
        return try await refreshes.value("refresh") { try await self.refresh() }
    }

    /// Adopts tokens that another app of the access group has stored, if they are newer. Returns whether they are.
    func takeNewer(_ tokens: Tokens) -> Bool {
        state.withLock { state in
            guard tokens.expiresAt > state.tokens.expiresAt else { return false }
            state.tokens = tokens
            return true
        }
    }

    /// Exchanges the refresh token. If the tokens were replaced meanwhile, the result of the exchange is ignored.
    private func refresh() async throws -> Tokens {
        let auth = try existingAuth()
        let used = tokens
        let refreshed: Tokens
        do {
            let response = try await api().post(
                "/v1/token",
                JSONFields(["grantType": "refresh_token", "refreshToken": used.refreshToken]),
                as: RefreshResponse.self
            )
            refreshed = try Tokens(idToken: response.access_token, refreshToken: response.refresh_token)
            try requireOwn(refreshed)
        } catch {
            guard tokens == used else { return tokens }
            auth.endSession(of: self, after: error)
            throw error
        }
        let isReplaced = state.withLock { state -> Bool in
            guard state.tokens == used else { return false }
            state.tokens = refreshed
            return true
        }
        if isReplaced { auth.tokensChanged(of: self) }
        return tokens
    }

    /// Adopts the tokens that an operation returned.
    func adopt(_ tokens: Tokens) throws {
        try requireOwn(tokens)
        state.withLock { $0.tokens = tokens }
        auth?.tokensChanged(of: self)
    }

    /// Requires that tokens belong to this user and project. Users of several projects may have the same ID, such as in
    /// a test project with a copy of the accounts.
    private func requireOwn(_ tokens: Tokens) throws {
        let (own, present) = try (IDTokenClaims(tokens.idToken), IDTokenClaims(self.tokens.idToken))
        guard own.uid == uid, own.audience == present.audience else {
            throw AuthErrorCode.internalError.error("The server returned the tokens of another user or project.")
        }
    }
}

// MARK: - Requests with a token

extension User {
    /// Posts a request with the user's ID token.
    ///
    /// If the server rejects the token, the request is repeated once with a new one: the token may have expired because
    /// a clock was changed, or another operation may have replaced it.
    ///
    /// An error that ends the session signs the user out, unless `endsSession` is false.
    func post<Response: Decodable & Sendable>(
        _ path: String,
        _ fields: JSONFields,
        endsSession: Bool = true,
        key: String? = nil,
        as _: Response.Type
    ) async throws -> Response {
        let auth = try existingAuth()
        let api = try api()
        let language = auth.languageCode
        func post(_ token: String) async throws -> Response {
            let fields = fields.merging(JSONFields(["idToken": token]))
            return try await api.post(path, fields, language: language, key: key, as: Response.self)
        }
        let used = try await validTokens()
        do {
            do {
                return try await post(used.idToken)
            } catch let error where [.invalidUserToken, .userTokenExpired].contains(AuthErrorCode(error)) {
                let present = tokens
                let next = present == used ? try await validTokens(forcingRefresh: true) : present
                return try await post(next.idToken)
            }
        } catch {
            if endsSession { auth.endSession(of: self, after: error) }
            throw error
        }
    }

    /// Reads the account again.
    func fetchAccount() async throws {
        let number = state.withLock { state -> Int in
            state.requestCount += 1
            return state.requestCount
        }
        let response = try await post("/v1/accounts:lookup", JSONFields(), as: LookupResponse.self)
        guard let found = response.users?.first, found.localId == uid else {
            throw AuthErrorCode.internalError.error("The server returned the account of another user.")
        }
        var account = Account(found)
        account.isAnonymous = account.providers.isEmpty && account.email == nil && isAnonymous
        let isChanged = state.withLock { state -> Bool in
            // Responses may arrive out of order: the response to an older request must not replace a newer account.
            // after it.
            guard number > state.requestOfAccount else { return false }
            state.requestOfAccount = number
            defer { state.account = account }
            return state.account != account
        }
        if isChanged { auth?.save(self) }
    }

    /// Adopts the tokens of an operation, then reads the account. Throws only if the account was deleted or disabled:
    /// the operation was carried out, and the account can be read later.
    func finish(_ tokens: Tokens) async throws {
        try adopt(tokens)
        try await fetchAccountIfPossible()
    }

    func fetchAccountIfPossible() async throws {
        do {
            try await fetchAccount()
        } catch {
            if error is CancellationError || Auth.isEndOfSession(error) { throw error }
        }
    }
}

extension User: CustomReflectable {
    /// Empty, because secrets must not reach logs.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
