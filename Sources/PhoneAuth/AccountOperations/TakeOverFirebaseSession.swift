internal import Cryptography
internal import Encodings
internal import RedisScripts

/// Why a Firebase session was not taken over.
public enum TakeOverFirebaseSessionRefusal: OperationRefusal {
    /// The project takes over no more sessions.
    case ended
    /// The token was exchanged before, longer ago than ``Policy/refreshTokenGrace``.
    case tokenUsed
    /// A rate limit of the client's network or of the project was exceeded.
    case limited(RateLimitRefusal)
    case refused(FirebaseTokenRefusal)
    /// Google's server did not exchange the token, for this reason.
    case exchangeUnavailable(String)
    case accountUnknown
    case accountDisabled
    /// The account's tokens were revoked here, or it has a second factor that the session at Firebase lacks.
    case sessionRevoked
    case failed(OperationFailure)
}

extension OperationContext {
    /// The number of exchanges of a project in a minute: a third of the quota of a Firebase project.
    private static let exchangesPerMinute = 6000
    /// Firebase does not document the length of its refresh tokens; they have some 200 bytes. Dialtone's are shorter
    /// than 100, so Google does not receive a damaged one.
    private static let tokenLengths = 101...4096

    /// Returns whether a text may be a Firebase refresh token that ``takeOverFirebaseSession(_:)`` accepts. Calls
    /// neither Redis nor Google. A text in the form of Dialtone's tokens never is, so Google never receives one.
    public func mayBeFirebaseToken(_ text: String) -> Bool {
        authenticator.firebaseTokens?.end(in: project) != nil && Self.tokenLengths.contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !RefreshToken.isWellFormed(text)
    }

    /// Begins a session of an imported account whose user is signed in to the Firebase project that it comes from.
    ///
    /// The session has the provider, the time (`auth_time`) and the second factor of the sign-in at Firebase. No hook
    /// is called and no second factor is requested, because the user does not sign in.
    ///
    /// The token is used up by a session, not by an attempt. Its session and refresh token are derived from it, so a
    /// client that lost the response gets the same session again, within ``Policy/refreshTokenGrace``.
    /// - Throws: ``TakeOverFirebaseSessionRefusal``.
    public func takeOverFirebaseSession(_ text: String) throws(TakeOverFirebaseSessionRefusal) -> RefreshedToken {
        guard let exchange = authenticator.firebaseTokens, let end = exchange.end(in: project), now < end else {
            throw .ended
        }
        let token = FirebaseTokenIdentity(text, in: project, among: store.shards)
        let used = try TakeOverFirebaseSessionRefusal.wrapping(store.firebaseTokenUse(token))
        if let used, now - used > policy.refreshTokenGrace { throw .tokenUsed }
        try admitFirebaseExchange()
        let start = ContinuousClock.now
        let outcome = exchange.exchange(text, in: project, at: now)
        // Google's time does not count against the store's deadline.
        store.extendDeadline(by: .now - start)
        switch outcome {
        case .refused(let refusal): throw .refused(refusal)
        case .unavailable(let reason): throw .exchangeUnavailable(reason)
        case .exchanged(let signIn):
            let tokens = try resumed().begin(signIn, from: text, isRepeated: used != nil)
            try TakeOverFirebaseSessionRefusal.wrapping(
                store.recordFirebaseTokenUse(
                    token,
                    at: now,
                    markMilliseconds: (end - now + policy.refreshTokenIdleLifetime).milliseconds
                )
            )
            return RefreshedToken(idToken: tokens.idToken, refreshToken: tokens.refreshToken, uid: tokens.account.uid)
        }
    }

    /// Counts an exchange before it blocks a thread and uses the Firebase project's quota.
    private func admitFirebaseExchange() throws(TakeOverFirebaseSessionRefusal) {
        guard let client = requester.limitedClient else { return }
        let limits = providerCheckLimits(from: client.address)
        let ofProject = RateLimit.firebaseExchanges(ofProject: project.id, .minute(Self.exchangesPerMinute))
        let check = RateLimitTransaction(of: project.id, limits + [ofProject], eventID: client.requestID)
        let decision = try TakeOverFirebaseSessionRefusal.wrapping(store.decide(check, now: now.milliseconds))
        _ = try decision.refund { TakeOverFirebaseSessionRefusal.limited(RateLimitRefusal($0)) }
    }

    private func begin(
        _ signIn: FirebaseSignIn,
        from token: String,
        isRepeated: Bool
    ) throws(TakeOverFirebaseSessionRefusal) -> IssuedTokens {
        var request = TokenRequest(
            account: AccountIdentity(project: project.id, uid: signIn.uid, among: store.shards),
            provider: signIn.provider,
            signedInAt: signIn.signedInAt,
            secondFactor: signIn.secondFactor
        )
        request.isTakenOver = true
        let refreshToken = RefreshToken.takingOver(token, of: request.account, in: project, keys)
        if isRepeated {
            let claims = try TakeOverFirebaseSessionRefusal.wrapping(
                store.claims(ofSession: refreshToken.identity(in: project), with: refreshToken.secretHash)
            )
            // The session has ended.
            guard claims != nil else { throw .tokenUsed }
        }
        switch try TakeOverFirebaseSessionRefusal.wrapping(failureOf: recordSignIn(request, refreshToken)) {
        case .issued(let tokens): return tokens
        case .hindered(.disabled): throw .accountDisabled
        case .hindered(.noAccount): throw .accountUnknown
        case .hindered(.token): throw .sessionRevoked
        // Impossible without an identifier and a second-factor need.
        case .hindered: throw .failed(.interrupted)
        }
    }
}

extension FirebaseTokenIdentity {
    fileprivate init(_ token: String, in project: Project, among shards: ShardCount) {
        let hash = SHA256.hash(Array(token.utf8))
        self.init(project: project.id, hash: Base64URL.string(hash), shard: shards.shard(ofHash: hash))
    }
}
