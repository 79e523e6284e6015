internal import Encodings
internal import RedisStore

/// Helpers shared by the operations on accounts and their identifiers; ``RedisStore/IdentifierClaim`` explains claims.
extension Authenticator {
    func newClaim(uid: String, at now: Instant) -> IdentifierClaim {
        IdentifierClaim(
            uid: uid,
            seconds: now.seconds,
            randomBytes: environment.randomBytes(IdentifierClaim.randomByteCount)
        )
    }

    /// Whether a worker may still be processing a claim.
    func isFresh(_ claim: IdentifierClaim, at now: Instant) -> Bool {
        now.seconds - claim.seconds < Policy.claimFreshness.components.seconds
    }

    func holdsClaim(
        _ claim: IdentifierClaim,
        of kind: IdentifierKind,
        in project: Project,
        _ now: Instant
    ) throws(StoreUnavailable) -> Bool {
        try store.holdsClaim(
            claim,
            of: kind,
            isFresh: isFresh(claim, at: now),
            in: project.id,
            markMilliseconds: Policy.deletionMarkLifetime.milliseconds,
            audit: nil
        )
    }

    /// Returns what a sign-in records of the identifier that led to the account, or that the account takes.
    func signInIdentifier<Subject>(
        _ identifier: AccountIdentifier<Subject>,
        _ claim: IdentifierClaim,
        of account: AccountIdentity,
        _ now: Instant
    ) throws(OperationFailure) -> SignInRecord.Identifier {
        SignInRecord.Identifier(
            identifier.identity,
            claim: claim,
            isFresh: isFresh(claim, at: now),
            sealed: try seal(Subject.kind, identifier.text, for: account)
        )
    }

    func seal(
        _ kind: IdentifierKind,
        _ text: String,
        for account: AccountIdentity
    ) throws(OperationFailure) -> [UInt8] {
        try seal(Array(text.utf8), Account.sealingContext(kind, account))
    }

    func seal(_ plaintext: [UInt8], _ context: [UInt8]) throws(OperationFailure) -> [UInt8] {
        do {
            return try keys.data.seal(
                plaintext,
                context: context,
                nonce: environment.randomBytes(DataKeys.nonceByteCount)
            )
        } catch {
            throw .cryptographyFailed
        }
    }

    /// Releases identifiers that an account gave up. If that fails, the stale claim names an account that does not hold
    /// the identifier, and the next user of the identifier replaces the claim.
    func release(_ identifiers: [HeldIdentifier], of account: AccountIdentity, in project: Project) {
        for held in identifiers {
            guard let text = Account.identifier(held.kind, held.sealed, of: account, keys) else { continue }
            switch held.kind {
            case .phone:
                try? store.releaseIdentifier(identity(of: text, in: project), held.claim)
            case .email:
                guard let email = EmailAddress(text) else { continue }
                try? store.releaseIdentifier(identifier(email, in: project).identity, held.claim)
            }
        }
    }
}
