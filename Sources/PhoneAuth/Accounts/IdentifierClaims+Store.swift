internal import Redis
internal import RedisScripts

/// The steps that link identifiers to accounts; ``IdentifierClaim`` describes their order.
extension Store {
    /// Returns the claim of an identifier, or nil if there is none.
    /// - Throws: ``StoreUnavailable``.
    func claim(of identifier: some IdentifierIdentity) throws(StoreUnavailable) -> IdentifierClaim? {
        let reply = try send("GET", KeyNames.identifier(identifier))
        return reply.isNull ? nil : try IdentifierClaim(text: try reply.text())
    }

    /// Returns the claim of each of these identifiers, in one round trip.
    /// - Throws: ``StoreUnavailable``.
    func claims(of identifiers: [some IdentifierIdentity]) throws(StoreUnavailable) -> [IdentifierClaim?] {
        guard !identifiers.isEmpty else { return [] }
        var claims: [IdentifierClaim?] = []
        for reply in try sendAll("GET", identifiers.map { [KeyNames.identifier($0)] }) {
            claims.append(reply.isNull ? nil : try IdentifierClaim(text: try reply.text()))
        }
        return claims
    }

    /// Stores claims with identifiers that have none, in one round trip. If they must be `isConfirmed`, waits for the
    /// replicas in one more.
    /// - Returns: the current claims afterwards.
    /// - Throws: ``StoreUnavailable``; then any of them may have been stored, and a retry is harmless.
    func claimIdentifiers(
        _ claims: [(identifier: some IdentifierIdentity, claim: IdentifierClaim)],
        isConfirmed: Bool
    ) throws(StoreUnavailable) -> [IdentifierClaim] {
        let calls = claims.map { ScriptCall(claiming: $0.identifier, $0.claim, replacing: nil) }
        var current: [IdentifierClaim] = []
        for reply in try run(calls, isConfirmed: isConfirmed) {
            current.append(try IdentifierClaim(text: try reply.text()))
        }
        return current
    }

    /// Stores a claim with an identifier that has none, or only `void`, a claim that the caller has found to be void.
    /// - Returns: the current claim afterwards.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func claimIdentifier(
        _ identifier: some IdentifierIdentity,
        _ claim: IdentifierClaim,
        replacing void: IdentifierClaim?
    ) throws(StoreUnavailable) -> IdentifierClaim {
        let reply = try run(ScriptCall(claiming: identifier, claim, replacing: void), isConfirmed: true)
        return try IdentifierClaim(text: try reply.text())
    }

    /// Waits until as many replicas as the operator requires have the claim that an earlier call stored at both ends.
    /// - Throws: ``StoreUnavailable``.
    func confirmClaim(
        of identifier: some IdentifierIdentity,
        for account: AccountIdentity
    ) throws(StoreUnavailable) {
        try confirmAllWrites(inSlotsOf: [KeyNames.identifier(identifier), KeyNames.user(account)])
    }

    /// Releases an identifier if `claim` is still its claim.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func releaseIdentifier(
        _ identifier: some IdentifierIdentity,
        _ claim: IdentifierClaim
    ) throws(StoreUnavailable) {
        _ = try delete(KeyNames.identifier(identifier), ifEqualTo: claim.text)
    }

    /// The result of the script `propose-identifier.lua`.
    enum IdentifierProposal: String, Sendable {
        case proposed
        case noAccount = "no-account"
        /// The ID token was revoked; nothing was changed.
        case tokenRevoked = "revoked"
        /// The ID token's sign-in is too old to link anything; nothing was changed.
        case signInTooOld = "too-old"
    }

    /// Stores a pending identifier in an account. The step that takes the identifier revokes the account's tokens at
    /// `revokedAt` (seconds since the Unix epoch), whichever request executes that step; nil revokes none. The account
    /// must have the `revocation` counter; nil for any.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func proposeIdentifier(
        _ kind: IdentifierKind,
        _ sealed: [UInt8],
        _ claim: IdentifierClaim,
        to account: AccountIdentity,
        having revocation: Int64? = nil,
        revokingTokensAt revokedAt: Int64? = nil,
        onBehalfOf token: PresentedToken? = nil
    ) throws(StoreUnavailable) -> IdentifierProposal {
        let call = ScriptCall(
            .proposeIdentifier,
            keys: ["accountKey": KeyNames.user(account)],
            [
                "kind": .text(kind.rawValue),
                "claim": .text(claim.id),
                "sealed": .bytes(sealed),
                "uid": .text(account.uid),
                "revocation": .optional(revocation),
                "revokedAt": .optional(revokedAt),
            ],
            onBehalfOf: token,
            of: account
        )
        let reply = try run(call, isConfirmed: true)
        guard let proposal = IdentifierProposal(rawValue: try reply.text()) else { throw .unexpectedReply }
        return proposal
    }

    /// Returns whether an account holds a claim that was found with an identifier, or is about to take it. If false,
    /// the account will never hold the claim.
    ///
    /// A claim is fresh if a worker may still be using it. For `markMilliseconds`, longer than claims are fresh, an
    /// account that does not exist cannot be created. The account loses a number that may have been recycled: one that
    /// was last proven before the given time (milliseconds since the Unix epoch), if its user can sign in without it.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func holdsClaim(
        _ claim: IdentifierClaim,
        of kind: IdentifierKind,
        isFresh: Bool,
        in project: String,
        markMilliseconds: Int64,
        losingNumberProvenBefore provenBefore: Int64? = nil,
        audit: AuditContext?
    ) throws(StoreUnavailable) -> Bool {
        let account = AccountIdentity(project: project, uid: claim.uid, among: shards)
        let call = ScriptCall(
            .checkClaim,
            keys: ["accountKey": KeyNames.user(account), "deletedKey": KeyNames.deletedUser(account)],
            [
                "kind": .text(kind.rawValue),
                "claim": .text(claim.id),
                "isFresh": .flag(isFresh),
                "markLife": .integer(markMilliseconds),
                "uid": .text(account.uid),
                "provenBefore": .optional(provenBefore),
            ],
            audit: audit,
            in: account.shard
        )
        return try run(call, isConfirmed: true).integer() == 1
    }

    /// Deletes a key if it has this value. Returns whether it was deleted.
    func delete(_ key: String, ifEqualTo expected: String) throws(StoreUnavailable) -> Bool {
        let call = ScriptCall(.deleteIfEqual, keys: ["key": key], ["expected": .text(expected)])
        return try run(call).integer() == 1
    }
}

extension ScriptCall {
    fileprivate init(
        claiming identifier: some IdentifierIdentity,
        _ claim: IdentifierClaim,
        replacing void: IdentifierClaim?
    ) {
        self.init(
            .claimIdentifier,
            keys: ["claimKey": KeyNames.identifier(identifier)],
            ["void": .text(void?.text ?? ""), "claim": .text(claim.text)]
        )
    }
}
