internal import Redis

/// The steps that link identifiers to accounts; ``IdentifierClaim`` describes their order.
extension Store {
    /// Returns the claim of an identifier, or nil if there is none.
    /// - Throws: ``StoreUnavailable``.
    public func claim<Subject: IdentifierSubject>(
        of identifier: HashedIdentity<Subject>
    ) throws(StoreUnavailable) -> IdentifierClaim? {
        let reply = try send("GET", KeyNames.identifier(identifier))
        return reply.isNull ? nil : try IdentifierClaim(text: try reply.text())
    }

    /// Returns the claim of each of these identifiers, in one round trip.
    /// - Throws: ``StoreUnavailable``.
    public func claims<Subject: IdentifierSubject>(
        of identifiers: [HashedIdentity<Subject>]
    ) throws(StoreUnavailable) -> [IdentifierClaim?] {
        guard !identifiers.isEmpty else { return [] }
        var claims: [IdentifierClaim?] = []
        for reply in try sendAll("GET", identifiers.map { [KeyNames.identifier($0)] }) {
            claims.append(reply.isNull ? nil : try IdentifierClaim(text: try reply.text()))
        }
        return claims
    }

    /// Stores claims with identifiers that have none, in one round trip.
    /// - Returns: the current claims afterwards.
    /// - Throws: ``StoreUnavailable``; then any of them may have been stored, and a retry is harmless.
    public func claimIdentifiers<Subject: IdentifierSubject>(
        _ claims: [(identifier: HashedIdentity<Subject>, claim: IdentifierClaim)]
    ) throws(StoreUnavailable) -> [IdentifierClaim] {
        let calls = claims.map {
            ScriptCall(keys: [KeyNames.identifier($0.identifier)], arguments: [.text(""), .text($0.claim.text)])
        }
        var standing: [IdentifierClaim] = []
        for reply in try run(Scripts.claimIdentifier, calls) {
            standing.append(try IdentifierClaim(text: try reply.text()))
        }
        return standing
    }

    /// Stores a claim with an identifier that has none, or only `void`, which the caller found void.
    /// - Returns: the current claim afterwards.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func claimIdentifier<Subject: IdentifierSubject>(
        _ identifier: HashedIdentity<Subject>,
        _ claim: IdentifierClaim,
        replacing void: IdentifierClaim?
    ) throws(StoreUnavailable) -> IdentifierClaim {
        let reply = try run(
            Scripts.claimIdentifier,
            isConfirmed: true,
            keys: [KeyNames.identifier(identifier)],
            [.text(void?.text ?? ""), .text(claim.text)]
        )
        return try IdentifierClaim(text: try reply.text())
    }

    /// Releases an identifier if `claim` is still its claim.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func releaseIdentifier<Subject: IdentifierSubject>(
        _ identifier: HashedIdentity<Subject>,
        _ claim: IdentifierClaim
    ) throws(StoreUnavailable) {
        _ = try run(Scripts.deleteIfEqual, keys: [KeyNames.identifier(identifier)], [.text(claim.text)])
    }

    /// The result of the script `propose-identifier.lua`.
    public enum IdentifierProposal: String, Sendable {
        case proposed
        case noAccount = "no-account"
        /// The ID token was revoked; nothing was changed.
        case tokenRevoked = "revoked"
        /// The ID token's sign-in is too old to link anything; nothing was changed.
        case signInTooOld = "too-old"
    }

    /// Notes in an account that it is about to take an identifier. The step that takes the identifier revokes the
    /// account's tokens at `revokedAt` (seconds since the Unix epoch), whichever request executes that step; nil
    /// revokes none.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func proposeIdentifier(
        _ kind: IdentifierKind,
        _ sealed: [UInt8],
        _ claim: IdentifierClaim,
        to account: AccountIdentity,
        revokingTokensAt revokedAt: Int64? = nil,
        onBehalfOf token: PresentedToken? = nil
    ) throws(StoreUnavailable) -> IdentifierProposal {
        let call = ScriptCall(
            keys: [KeyNames.user(account)],
            arguments: [
                .text(kind.rawValue), .text(claim.id), .bytes(sealed), .text(account.uid),
                revokedAt.map { .integer($0) } ?? "",
            ],
            onBehalfOf: token,
            of: account
        )
        let reply = try run(Scripts.proposeIdentifier, isConfirmed: true, call)
        guard let proposal = IdentifierProposal(rawValue: try reply.text()) else { throw .unexpectedReply }
        return proposal
    }

    /// Returns whether an account holds a claim that was found with an identifier, or is about to. If false, it never
    /// will.
    ///
    /// A claim is fresh if a worker may still be using it. For `markMilliseconds`, longer than claims are fresh, an
    /// account that does not exist cannot be created. The account loses a number that may have been recycled: one that
    /// was last proven before the given time (milliseconds since the Unix epoch), if its user can sign in without it.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func holdsClaim(
        _ claim: IdentifierClaim,
        of kind: IdentifierKind,
        isFresh: Bool,
        in project: String,
        markMilliseconds: Int64,
        losingNumberProvenBefore provenBefore: Int64? = nil,
        audit: AuditContext?
    ) throws(StoreUnavailable) -> Bool {
        let account = AccountIdentity(project: project, uid: claim.uid, among: shards)
        return try run(
            Scripts.checkClaim,
            isConfirmed: true,
            keys: [KeyNames.user(account), KeyNames.deletedUser(account)],
            [
                .text(kind.rawValue), .text(claim.id), .integer(isFresh ? 1 : 0), .integer(markMilliseconds),
                .text(account.uid), .text(provenBefore.map(String.init) ?? ""),
            ],
            audit: audit,
            in: account.shard
        ).integer() == 1
    }
}
