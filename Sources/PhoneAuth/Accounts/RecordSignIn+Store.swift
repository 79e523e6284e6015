internal import Redis
public import RedisScripts

/// A sign-in to record, or to try in a dry run: a call of the script `record-sign-in.lua`.
public struct SignInRecord: Sendable {
    let account: AccountIdentity
    private let call: ScriptCall

    /// Describes a sign-in. Times are in milliseconds; `now` is since the Unix epoch.
    ///
    /// The sign-in begins the `session`, or continues it if it is the session of the `presented` ID token. `secretHash`
    /// is the hash of its refresh token's secret. `tokenClaims` are the session's own claims, a JSON object, or empty.
    /// `signedInAt` is `now`, or earlier if the user only gets new tokens. An account that has had no tokens gets the
    /// revocation counter `firstRevocation`, a random number. `maker` identifies the sign-in if it may create the
    /// account; it is empty if the account must exist. For `markMilliseconds`, longer than claims are fresh, an account
    /// that does not exist cannot be created.
    ///
    /// If it `mustCreate` the account, an account created by another sign-in is not accepted. A `requiredPassword`
    /// (sealed) must be the account's password, and a `requiredEmailClaim` the claim of its e-mail address. The rule on
    /// `recycledNumbers` is for sign-ins with a number. The session stores the `secondFactor`. The `changes` are made
    /// in the same step; if they disable the account, the sign-in fails.
    public init(
        account: AccountIdentity,
        provider: String,
        tokenClaims: String = "",
        session: UserSessionIdentity,
        secretHash: String,
        client: String = "",
        firstRevocation: Int64,
        now: Int64,
        signedInAt: Int64,
        sessionIdleMilliseconds: Int64,
        maker: String,
        maximumSessions: Int,
        markMilliseconds: Int64,
        identifier: NamedIdentifier? = nil,
        mustCreate: Bool = false,
        requiredPassword: [UInt8] = [],
        requiredEmailClaim: String = "",
        recycledNumbers: RecycledNumberRule? = nil,
        secondFactorNeed: SecondFactorNeed = .nothing,
        secondFactor: SecondFactorMark? = nil,
        changes: AccountUpdate = AccountUpdate(),
        presented: PresentedToken? = nil,
        audit: AuditContext?
    ) {
        self.account = account
        call = ScriptCall(
            .recordSignIn,
            keys: [
                "accountKey": KeyNames.user(account),
                "usersKey": KeyNames.users(account.shard, account.project),
                "sessionKey": KeyNames.userSession(session),
                "sessionsKey": KeyNames.userSessions(account),
                "deletedKey": KeyNames.deletedUser(account),
            ],
            NamedValues(
                [
                    "now": .integer(now),
                    "uid": .text(account.uid),
                    "provider": .text(provider),
                    "idleLife": .integer(sessionIdleMilliseconds),
                    "sessionID": .text(session.hash),
                    "maximumSessions": .count(maximumSessions),
                    "maker": .text(maker),
                    "signedIn": .integer(signedInAt),
                    "sessionClaims": .text(tokenClaims),
                    "markLife": .integer(markMilliseconds),
                    "kind": .text(identifier?.kind.rawValue ?? ""),
                    "claim": .text(identifier?.claim.id ?? ""),
                    "isFresh": .flag(identifier?.isFresh == true),
                    "sealed": .bytes(identifier?.sealed ?? []),
                    "mustCreate": .flag(mustCreate),
                    "password": .bytes(requiredPassword),
                    "emailClaim": .text(requiredEmailClaim),
                    "recycledAnswer": .text(recycledNumbers?.answer.rawValue ?? ""),
                    "provenBefore": .integer(recycledNumbers?.provenBefore ?? 0),
                    "need": .bytes(secondFactorNeed.argument),
                    "method": .text(secondFactor?.method ?? ""),
                    "factorID": .text(secondFactor?.id ?? ""),
                    "secret": .text(secretHash),
                    "firstRevocation": .integer(firstRevocation),
                    "client": .text(client),
                    "network": .text(audit?.networkHash ?? ""),
                    "identifierName": .text(identifier?.name ?? ""),
                ],
                list: "changes",
                changes.arguments
            ),
            onBehalfOf: presented,
            of: account,
            audit: audit?.naming(identifier)
        )
    }

    func call(isDryRun: Bool) -> ScriptCall {
        var call = call
        call.append("isDryRun", .flag(isDryRun))
        return call
    }
}

extension SignInRecord {
    /// The result of the script.
    public enum Outcome: Sendable {
        /// `isNew`: whether this sign-in created the account; `former`: the identifiers to release.
        case signedIn(AccountRecord, isNew: Bool, former: [HeldIdentifier])
        /// The account's e-mail address is not the required one; nothing was recorded.
        case changed
        case hindered(SignInObstacle)
    }
}

extension Store {
    /// Records the sign-in with its refresh token, and creates the account if it does not exist, in one atomic step.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func recordSignIn(_ record: SignInRecord) throws(StoreUnavailable) -> SignInRecord.Outcome {
        let reply = try run(record.call(isDryRun: false), isConfirmed: true)
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

extension SignInRecord {
    /// The result of the dry run.
    public enum Prospect: Sendable {
        /// The sign-in would succeed with this account; nil if it would create the account.
        case possible(AccountRecord?)
        case hindered(SignInObstacle)
    }
}

extension Store {
    /// Returns the outcome that a sign-in would have (a dry run). It records only a recycled number and a wrong
    /// second-factor code. The outcome may differ by the time the sign-in is recorded.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func lookAhead(_ record: SignInRecord) throws(StoreUnavailable) -> SignInRecord.Prospect {
        let reply = try run(record.call(isDryRun: true), isConfirmed: true)
        switch try reply.outcome() {
        case "possible": return .possible(AccountRecord(fields: reply.fields(from: 1)))
        default: return .hindered(try SignInObstacle(reply))
        }
    }
}
