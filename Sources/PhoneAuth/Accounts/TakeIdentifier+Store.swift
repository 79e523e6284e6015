internal import Redis
internal import RedisScripts

/// The result of the script `take-identifier.lua`.
enum IdentifierTaking: Sendable {
    /// The changed account, and the identifiers to release.
    case taken(AccountRecord, former: [HeldIdentifier])
    /// The claim is neither the account's nor its pending one.
    case notHeld
    case noAccount
}

/// An identifier for an account to take: a call of the script `take-identifier.lua`.
struct TakenIdentifier: Sendable {
    private let account: AccountIdentity
    fileprivate let call: ScriptCall

    /// Describes an identifier that is claimed for an account.
    /// - Parameters:
    ///   - identifier: the identifier with its claim.
    ///   - isVerified: whether the identifier is verified; nil leaves it unchanged, unless the account held a different
    ///     identifier.
    ///   - account: the account that the identifier is claimed for.
    ///   - provenAt: when a number counts as last proven (milliseconds since the Unix epoch), unless its user has
    ///     proven it later; nil for the time when the account was created.
    ///   - revokedAt: when an e-mail address that is new to the account revokes the account's tokens (seconds since the
    ///     Unix epoch); nil to revoke none, unless the pending claim requires it.
    ///   - completesCreation: whether repetitions of the request that created the account are no longer recognized.
    ///   - audit: what the events have in common; nil for no events.
    public init(
        _ identifier: NamedIdentifier,
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
    func takeIdentifier(_ taken: TakenIdentifier) throws(StoreUnavailable) -> IdentifierTaking {
        try taken.outcome(try run(taken.call, isConfirmed: true))
    }

    /// Makes accounts take identifiers, each in its own step, in one round trip.
    /// - Throws: ``StoreUnavailable``; then any of them may have been taken, and a retry is harmless.
    func takeIdentifiers(_ taken: [TakenIdentifier]) throws(StoreUnavailable) -> [IdentifierTaking] {
        var outcomes: [IdentifierTaking] = []
        for (taken, reply) in zip(taken, try run(taken.map(\.call), isConfirmed: true)) {
            outcomes.append(try taken.outcome(reply))
        }
        return outcomes
    }
}
