internal import Encodings
internal import Redis
internal import RedisScripts

/// A sign-in to record, or to try in a dry run: a call of the script `record-sign-in.lua`.
struct SignInRecord {
    let account: AccountIdentity
    private let call: ScriptCall

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
                    "now": .integer(now.milliseconds),
                    "uid": .text(account.uid),
                    "provider": .text(request.provider.rawValue),
                    "idleLife": .integer(policy.refreshTokenIdleLifetime.milliseconds),
                    "sessionID": .text(session.hash),
                    "maximumSessions": .count(request.maximumSessions),
                    "maker": .text(request.maker),
                    "signedIn": .integer(request.signedInAt.milliseconds),
                    "sessionClaims": .text(request.tokenClaims?.text ?? ""),
                    "markLife": .integer(AccountDeletion.markLifetime.milliseconds),
                    "kind": .text(identifier?.kind.rawValue ?? ""),
                    "claim": .text(identifier?.claim.id ?? ""),
                    "isFresh": .flag(identifier?.isFresh == true),
                    "sealed": .bytes(identifier?.sealed ?? []),
                    "mustCreate": .flag(request.mustCreate),
                    "password": .bytes(request.requiredPassword),
                    "emailClaim": .text(request.requiredEmailClaim),
                    "recycledAnswer": .text(request.recycledNumbers?.answer.rawValue ?? ""),
                    "provenBefore": .integer(request.recycledNumbers?.provenBefore ?? 0),
                    "need": .bytes(request.secondFactorNeed.argument),
                    "method": .text(secondFactor?.method ?? ""),
                    "factorID": .text(secondFactor?.id ?? ""),
                    "secret": .text(secretHash),
                    "firstRevocation": .integer(firstRevocation),
                    "client": .text(client ?? ""),
                    "network": .text(audit?.networkHash ?? ""),
                    "identifierName": .text(identifier?.name ?? ""),
                ],
                list: "changes",
                request.changes.arguments
            ),
            onBehalfOf: request.presented,
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
    enum Outcome {
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
    func recordSignIn(_ record: SignInRecord) throws(StoreUnavailable) -> SignInRecord.Outcome {
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
    enum Prospect {
        /// The sign-in would succeed with this account; nil if it would create the account.
        case possible(AccountRecord?)
        case hindered(SignInObstacle)
    }
}

extension Store {
    /// Returns the outcome that a sign-in would have (a dry run). It records only a recycled number and a wrong
    /// second-factor code. The outcome may differ by the time the sign-in is recorded.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func lookAhead(_ record: SignInRecord) throws(StoreUnavailable) -> SignInRecord.Prospect {
        let reply = try run(record.call(isDryRun: true), isConfirmed: true)
        switch try reply.outcome() {
        case "possible": return .possible(AccountRecord(fields: reply.fields(from: 1)))
        default: return .hindered(try SignInObstacle(reply))
        }
    }
}
