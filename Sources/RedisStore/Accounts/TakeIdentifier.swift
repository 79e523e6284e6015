internal import Redis

/// The result of the script `take-identifier.lua`.
public enum IdentifierTaking: Sendable {
    /// The changed account, and the identifiers to release.
    case taken(AccountRecord, former: [HeldIdentifier])
    /// The claim is neither the account's nor its pending one.
    case notHeld
    case noAccount
}

/// An identifier for an account to take: a call of the script `take-identifier.lua`.
public struct TakenIdentifier: Sendable {
    private let account: AccountIdentity
    fileprivate let call: ScriptCall

    /// Describes an identifier that is claimed for an account. `isVerified` says whether the identifier is verified;
    /// nil leaves that unchanged, unless the account held another identifier. A number counts as last proven at
    /// `provenAt` (milliseconds since the Unix epoch), or if that is nil, when the account was created. An e-mail
    /// address that is new to the account revokes the account's tokens at `revokedAt` (seconds since the Unix epoch);
    /// nil revokes none, unless the pending claim's note says so. If it `completesCreation`, the request that created
    /// the account need not be recognized any longer.
    public init(
        _ identifier: SignInRecord.Identifier,
        isVerified: Bool?,
        for account: AccountIdentity,
        provenAt: Int64?,
        revokedAt: Int64? = nil,
        completesCreation: Bool = false,
        audit: AuditContext?
    ) {
        self.account = account
        call = ScriptCall(
            .takeIdentifier,
            keys: ["accountKey": KeyNames.user(account)],
            [
                "kind": .text(identifier.kind.rawValue),
                "claim": .text(identifier.claim.id),
                "sealed": .bytes(identifier.sealed),
                "isVerified": isVerified.map { .flag($0) } ?? "",
                "uid": .text(account.uid),
                "provenAt": .optional(provenAt),
                "revokedAt": .optional(revokedAt),
                "completesCreation": .flag(completesCreation),
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
    /// Makes an account take an identifier that is claimed for it, in one atomic step.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func takeIdentifier(_ taken: TakenIdentifier) throws(StoreUnavailable) -> IdentifierTaking {
        try taken.outcome(try run(taken.call, isConfirmed: true))
    }

    /// Makes accounts take identifiers, each in its own step, in one round trip.
    /// - Throws: ``StoreUnavailable``; then any of them may have been taken, and a retry is harmless.
    public func takeIdentifiers(_ taken: [TakenIdentifier]) throws(StoreUnavailable) -> [IdentifierTaking] {
        var outcomes: [IdentifierTaking] = []
        for (taken, reply) in zip(taken, try run(taken.map(\.call))) {
            outcomes.append(try taken.outcome(reply))
        }
        return outcomes
    }
}
