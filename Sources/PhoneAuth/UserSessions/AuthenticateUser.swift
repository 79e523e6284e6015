internal import Encodings
internal import RedisScripts

/// A user identified by an ID token. What the user may do depends on how recent the sign-in is:
/// ``OperationContext/authorize(_:for:)``.
struct IdentifiedUser {
    fileprivate let identity: AccountIdentity
    let account: Account
    fileprivate let record: AccountRecord
    let session: UserSession
    fileprivate let presented: PresentedToken
    /// Whether a change by the session itself has revoked the token a moment ago.
    let hasFormerToken: Bool
    /// Whether the request has revoked its own token before: it is repeated.
    let isRepeated: Bool

    /// Whether the user can sign in to the account without the token. Users of anonymous accounts cannot.
    fileprivate var hasWayToSignIn: Bool {
        record.sealedNumber != nil
            || record.sealedEmail != nil && (record.sealedPassword != nil || record.signsInByLink)
    }
}

/// A user identified by an ID token whose sign-in is recent enough for the operation.
struct AuthenticatedUser {
    let identity: AccountIdentity
    let account: Account
    let record: AccountRecord
    let session: UserSession
    /// The token, which scripts verify again when they write on its behalf.
    let presented: PresentedToken

    /// Creates an authenticated user. Unless the user `signedInRecently`, they may add a sign-in method but not replace
    /// one, so scripts compare the account's sign-in methods again.
    fileprivate init(_ user: IdentifiedUser, signedInRecently: Bool) {
        identity = user.identity
        account = user.account
        record = user.record
        session = user.session
        var presented = user.presented
        if !signedInRecently { presented.waysToSignIn = user.record.waysToSignIn }
        self.presented = presented
    }
}

extension OperationContext {
    /// Returns the user that an ID token identifies, if the sign-in is recent enough for the operation.
    func authenticate(idToken: String, for operation: IDTokenOperation) throws(IDTokenRefusal) -> AuthenticatedUser {
        try authorize(try identify(idToken: idToken), for: [operation])
    }

    /// Checks that a user's sign-in is recent enough for all of these operations.
    func authorize(
        _ user: IdentifiedUser,
        for operations: [IDTokenOperation]
    ) throws(IDTokenRefusal) -> AuthenticatedUser {
        let signedInRecently = isRecent(user.session.signedInAt)
        for operation in operations {
            let isFresh =
                switch operation.freshness {
                case .any: true
                case .recent: signedInRecently
                case .recentToLink:
                    signedInRecently || !project.linkingNeedsRecentSignIn
                        || user.session.provider == .anonymous && !user.hasWayToSignIn
                case .recentAtStart: isRecent(user.session.signedInAt, orWasFor: policy.longestEnrollment)
                }
            guard isFresh else { throw .signInTooOld }
        }
        return AuthenticatedUser(user, signedInRecently: signedInRecently)
    }

    /// Returns the user that an ID token identifies, for operations whose kind depends on the account.
    func identify(idToken: String) throws(IDTokenRefusal) -> IdentifiedUser {
        try identify(try verify(idToken))
    }

    /// Verifies an ID token by itself, without a round trip, and returns its claims. The account may no longer exist,
    /// or may be disabled.
    func verify(_ idToken: String) throws(IDTokenRefusal) -> VerifiedIDToken {
        guard let token = VerifiedIDToken(idToken, in: project, keys, policy, at: now) else {
            throw .tokenInvalid
        }
        return token
    }

    /// Returns the token in the form that scripts compare with the account and session when they write on its behalf.
    func presented(_ token: VerifiedIDToken, of account: AccountIdentity) -> PresentedToken {
        PresentedToken(
            session: UserSessionIdentity(project: account.project, hash: token.session, shard: account.shard),
            revocation: token.revocation,
            issuedAt: token.issuedAt,
            requestID: requester.requestID == nil ? nil : repeatID
        )
    }

    /// Returns the user of a token, if the account is not disabled and the token not revoked. Everything except the
    /// user's identity comes from the session's record. For an operation that `acceptsFormer` tokens, a token that the
    /// session's own change has just revoked counts as the session's present one.
    func identify(
        _ token: VerifiedIDToken,
        acceptsFormer: Bool = false
    ) throws(IDTokenRefusal) -> IdentifiedUser {
        let identity = AccountIdentity(project: project.id, uid: token.uid, among: store.shards)
        let presented = presented(token, of: identity)
        let (record, sessionRecord) = try IDTokenRefusal.wrapping(
            store.account(identity, session: presented.session)
        )
        guard let record else { throw .accountUnknown }
        guard let sessionRecord, sessionRecord.uid.hasSameBytes(as: token.uid), !sessionRecord.isEnded,
            let session = UserSession(id: token.session, sessionRecord)
        else { throw .tokenRevoked }
        let isFormer = acceptsFormer && isFormer(token, of: sessionRecord)
        let revocation = isFormer ? sessionRecord.revocation : token.revocation
        let issuedAt = isFormer ? sessionRecord.issuedAt / 1000 : token.issuedAt
        let isRevoked = record.hasRevoked(revocation, issuedAt: issuedAt)
        // A request that is repeated, because its worker died or its answer was lost, may have revoked its own token.
        guard !isRevoked || presented.requestID != nil && presented.requestID == record.revokingRequestID else {
            throw .tokenRevoked
        }
        let account = Account(identity, record, keys)
        guard !account.isDisabled else { throw .accountDisabled }
        return IdentifiedUser(
            identity: identity,
            account: account,
            record: record,
            session: session,
            presented: presented,
            hasFormerToken: isFormer,
            isRepeated: isRevoked
        )
    }

    /// Returns whether a token is a former one of its session that is still accepted, from the network of the change.
    private func isFormer(_ token: VerifiedIDToken, of session: UserSessionRecord) -> Bool {
        guard let former = session.former, token.revocation == former.revocation,
            now.milliseconds < former.last, let network = audit(about: AuditedIdentifiers())?.networkHash
        else { return false }
        return network == session.lastNetworkHash
    }

    /// Returns whether a sign-in was at most ``Policy/recentSignIn`` ago, or was recent at the start of an operation
    /// that takes up to `duration`.
    func isRecent(_ signedInAt: Instant, orWasFor duration: Duration = .zero) -> Bool {
        now.seconds - signedInAt.seconds <= (policy.recentSignIn + duration).components.seconds
    }

    func identifiers(of user: AuthenticatedUser) -> AuditedIdentifiers {
        identifiers(of: user.account, user.record)
    }
}
