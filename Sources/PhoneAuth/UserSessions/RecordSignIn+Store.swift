internal import Encodings
internal import Redis
internal import RedisScripts

/// A sign-in to record (`record-sign-in.lua`), or to look ahead at (`look-ahead-at-sign-in.lua`).
struct SignInRecord {
    let account: AccountIdentity
    private let presented: PresentedToken?
    private let audit: AuditContext?
    /// What both scripts need to find an obstacle.
    private let conditions: NamedValues<Argument>
    fileprivate let call: ScriptCall

    /// Describes a sign-in that begins the `session`, or continues it if it is the session of the presented ID token.
    ///
    /// `secretHash` is the hash of the session's refresh token's secret. An account that has had no tokens gets the
    /// revocation counter `firstRevocation`, a random number. For ``AccountDeletion/markLifetime``, longer than claims
    /// are fresh, an account that does not exist cannot be created.
    init(
        _ request: TokenRequest,
        _ session: UserSessionIdentity,
        secretHash: String,
        firstRevocation: Int64,
        client: String?,
        under policy: Policy,
        at now: Instant,
        audit: AuditContext?
    ) {
        let (account, identifier) = (request.account, request.identifier)
        let secondFactor = request.secondFactor?.mark
        self.account = account
        presented = request.presented
        self.audit = audit?.naming(identifier)
        conditions = NamedValues(
            [
                "now": .integer(now.milliseconds),
                "uid": .text(account.uid),
                "kind": .text(identifier?.kind.rawValue ?? ""),
                "claim": .text(identifier?.claim.id ?? ""),
                "isFresh": .flag(identifier?.isFresh == true),
                "maker": .text(request.maker),
                "markLife": .integer(AccountDeletion.markLifetime.milliseconds),
                "mustCreate": .flag(request.mustCreate),
                "password": .bytes(request.requiredPassword),
                "recycledAnswer": .text(request.recycledNumbers?.answer.rawValue ?? ""),
                "provenBefore": .integer(request.recycledNumbers?.provenBefore ?? 0),
                "need": .bytes(request.secondFactorNeed.argument),
                "firstRevocation": .integer(firstRevocation),
            ],
            list: "changes",
            request.changes.arguments
        )
        let record: NamedValues<Argument> = [
            "provider": .text(request.provider.rawValue),
            "idleLife": .integer(policy.refreshTokenIdleLifetime.milliseconds),
            "sessionID": .text(session.hash),
            "maximumSessions": .count(request.maximumSessions),
            "signedIn": .integer(request.signedInAt.milliseconds),
            "isTakenOver": .flag(request.isTakenOver),
            "sessionClaims": .text(request.tokenClaims?.text ?? ""),
            "sealed": .bytes(identifier?.sealed ?? []),
            "ways": .text(request.requiredWaysToSignIn),
            "method": .text(secondFactor?.method ?? ""),
            "factorID": .text(secondFactor?.id ?? ""),
            "secret": .text(secretHash),
            "client": .text(client ?? ""),
            "network": .text(audit?.networkHash ?? ""),
            "identifierName": .text(identifier?.name ?? ""),
        ]
        call = ScriptCall(
            .recordSignIn,
            keys: [
                "accountKey": KeyNames.user(account),
                "usersKey": KeyNames.users(account.shard, account.project),
                "sessionKey": KeyNames.userSession(session),
                "sessionsKey": KeyNames.userSessions(account),
                "deletedKey": KeyNames.deletedUser(account),
            ],
            record + conditions,
            onBehalfOf: presented,
            of: account,
            audit: self.audit
        )
    }
}

extension SignInRecord {
    /// The result of the script.
    enum Outcome {
        /// `isNew`: whether this sign-in created the account; `former`: the identifiers to release.
        case signedIn(AccountRecord, isNew: Bool, former: [HeldIdentifier])
        /// The account's ways to sign in are not the required ones; nothing was recorded.
        case changed
        case hindered(SignInObstacle)
    }
}

extension Store {
    /// Records the sign-in with its refresh token, and creates the account if it does not exist, in one atomic step.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func recordSignIn(_ record: SignInRecord) throws(StoreUnavailable) -> SignInRecord.Outcome {
        let reply = try run(record.call, isConfirmed: true)
        switch try reply.outcome() {
        case "changed": return .changed
        case "signed-in":
            guard let account = AccountRecord(fields: try reply.reply(at: 3).fields(from: 0)) else {
                throw .unexpectedReply
            }
            return .signedIn(
                account,
                isNew: try reply.integer(at: 1) == 1,
                former: try HeldIdentifier.list(try reply.reply(at: 2), uid: record.account.uid)
            )
        default: return .hindered(try SignInObstacle(reply))
        }
    }
}

extension Store {
    /// Returns a session's own claims if a sign-in has recorded it with this secret; "" if it has none, nil if it was
    /// not recorded.
    func claims(
        ofSession session: UserSessionIdentity,
        with secretHash: String
    ) throws(StoreUnavailable) -> String? {
        let fields = try send("HMGET", KeyNames.userSession(session), "secret", "claims").optionalTexts()
        guard fields.count == 2 else { throw .unexpectedReply }
        return fields[0] == secretHash ? fields[1] ?? "" : nil
    }
}

extension SignInRecord {
    /// The result of looking ahead.
    enum Prospect {
        /// The sign-in would succeed with this account; nil if it would create the account.
        case possible(AccountRecord?)
        case hindered(SignInObstacle)
    }

    fileprivate var lookAhead: ScriptCall {
        ScriptCall(
            .lookAheadAtSignIn,
            keys: ["accountKey": KeyNames.user(account), "deletedKey": KeyNames.deletedUser(account)],
            conditions,
            onBehalfOf: presented,
            of: account,
            audit: audit
        )
    }
}

extension Store {
    /// Returns the outcome that a sign-in would have. Records only a recycled number and a wrong second factor. The
    /// outcome may differ by the time the sign-in is recorded.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func lookAhead(_ record: SignInRecord) throws(StoreUnavailable) -> SignInRecord.Prospect {
        let reply = try run(record.lookAhead, isConfirmed: true)
        switch try reply.outcome() {
        case "possible": return .possible(AccountRecord(fields: reply.fields(from: 1)))
        default: return .hindered(try SignInObstacle(reply))
        }
    }
}
