internal import Redis

/// What the script `take-identifier.lua` did.
public enum IdentifierTaking: Sendable {
    /// The account as it is now, and the identifiers that are to let go of it.
    case taken(AccountRecord, former: [HeldIdentifier])
    /// The account neither holds the claim nor is about to.
    case notHeld
    case noAccount
}

extension Store {
    /// Makes an account take an identifier that stands claimed for it, in one atomic step. `isVerified` says whether it is known
    /// to be the user's; nil leaves what was known, unless the account held another one. A number counts as proven `now`,
    /// milliseconds since the Unix epoch.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func takeIdentifier(
        _ identifier: SignInRecord.Identifier,
        isVerified: Bool?,
        for account: AccountIdentity,
        now: Int64,
        audit: AuditContext?
    ) throws(StoreUnavailable) -> IdentifierTaking {
        let reply = try run(
            Scripts.takeIdentifier,
            isConfirmed: true,
            keys: [KeyNames.user(account)],
            [
                .text(identifier.kind.rawValue), .text(identifier.claim.id), .bytes(identifier.sealed),
                isVerified.map { .integer($0 ? 1 : 0) } ?? "", .text(account.uid), .integer(now),
            ],
            audit: audit?.naming(identifier),
            in: account.shard
        )
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
