internal import Redis

/// What the script `take-identifier.lua` did.
public enum IdentifierTaking: Sendable {
    /// The account as it is now, and the identifiers that are to let go of it.
    case taken(AccountRecord, former: [HeldIdentifier])
    /// The account neither holds the claim nor is about to.
    case notHeld
    case noAccount
}

/// What the script `take-identifier.lua` needs.
public struct TakenIdentifier: Sendable {
    let identifier: SignInRecord.Identifier
    let isVerified: Bool?
    let account: AccountIdentity
    let provenAt: Int64
    let revokedAt: Int64?
    let audit: AuditContext?

    /// An identifier that stands claimed for an account. `isVerified` says whether it is known to be the user's; nil leaves what
    /// was known, unless the account held another one. A number counts as last proven at `provenAt`, milliseconds since the Unix
    /// epoch. An e-mail address that the account did not have revokes its tokens at `revokedAt`, seconds since then;
    /// nil revokes none.
    public init(
        _ identifier: SignInRecord.Identifier,
        isVerified: Bool?,
        for account: AccountIdentity,
        provenAt: Int64,
        revokedAt: Int64? = nil,
        audit: AuditContext?
    ) {
        self.identifier = identifier
        self.isVerified = isVerified
        self.account = account
        self.provenAt = provenAt
        self.revokedAt = revokedAt
        self.audit = audit
    }

    fileprivate var call: ScriptCall {
        ScriptCall(
            keys: [KeyNames.user(account)],
            arguments: [
                .text(identifier.kind.rawValue), .text(identifier.claim.id), .bytes(identifier.sealed),
                isVerified.map { .integer($0 ? 1 : 0) } ?? "", .text(account.uid), .integer(provenAt),
                revokedAt.map { .integer($0) } ?? "",
            ],
            of: account,
            audit: audit?.naming(identifier)
        )
    }

    fileprivate func outcome(_ reply: ScriptReply) throws(StoreUnavailable) -> IdentifierTaking {
        switch try reply.outcome() {
        case "no-account":
            return .noAccount
        case "not-held":
            return .notHeld
        case "taken":
            guard let record = AccountRecord(fields: reply.fields(from: 2)) else { throw .unexpectedReply }
            return .taken(record, former: try HeldIdentifier.list(try reply.reply(at: 1), uid: account.uid))
        default:
            throw .unexpectedReply
        }
    }
}

extension Store {
    /// Makes an account take an identifier that stands claimed for it, in one atomic step.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func takeIdentifier(_ taken: TakenIdentifier) throws(StoreUnavailable) -> IdentifierTaking {
        try taken.outcome(try run(Scripts.takeIdentifier, isConfirmed: true, taken.call))
    }

    /// Makes accounts take identifiers, each in a step of its own, in one round trip.
    /// - Throws: ``StoreUnavailable``; then any of them may have been taken, and repeating it is harmless.
    public func takeIdentifiers(_ taken: [TakenIdentifier]) throws(StoreUnavailable) -> [IdentifierTaking] {
        var outcomes: [IdentifierTaking] = []
        for (taken, reply) in zip(taken, try run(Scripts.takeIdentifier, taken.map(\.call))) {
            outcomes.append(try taken.outcome(reply))
        }
        return outcomes
    }
}
