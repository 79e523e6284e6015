internal import Encodings
internal import RedisScripts

/// Helpers shared by the operations on accounts and their identifiers; ``IdentifierClaim`` explains claims.
extension OperationContext {
    func newClaim(uid: String, ofTestNumber isOfTestNumber: Bool = false) -> IdentifierClaim {
        IdentifierClaim(
            uid: uid,
            seconds: now.seconds,
            randomBytes: environment.randomBytes(IdentifierClaim.randomByteCount),
            isOfTestNumber: isOfTestNumber
        )
    }

    /// Returns whether a worker may still be processing a claim.
    func isFresh(_ claim: IdentifierClaim) -> Bool {
        now.seconds - claim.seconds < IdentifierClaim.freshness.components.seconds
    }

    func holdsClaim(_ claim: IdentifierClaim, of kind: IdentifierKind) throws(StoreUnavailable) -> Bool {
        try store.holdsClaim(
            claim,
            of: kind,
            isFresh: isFresh(claim),
            in: project.id,
            markMilliseconds: AccountDeletion.markLifetime.milliseconds,
            audit: nil
        )
    }

    /// Returns what a sign-in records about the identifier that led to the account, or that the account takes.
    func signInIdentifier<Identity>(
        _ identifier: AccountIdentifier<Identity>,
        _ claim: IdentifierClaim,
        of account: AccountIdentity
    ) throws(OperationFailure) -> NamedIdentifier {
        NamedIdentifier(
            identifier.identity,
            claim: claim,
            isFresh: isFresh(claim),
            sealed: try seal(Identity.kind, identifier.text, for: account)
        )
    }

    /// Releases identifiers that an account no longer has. If that fails, the stale claim names an account that does
    /// not hold the identifier, and the next user of the identifier replaces the claim.
    func release(_ identifiers: [HeldIdentifier], of account: AccountIdentity) {
        for held in identifiers {
            guard let text = Account.identifier(held.kind, held.sealed, of: account, keys) else { continue }
            switch held.kind {
            case .phone:
                bestEffort("release a number", try store.releaseIdentifier(identity(of: text), held.claim))
            case .email:
                guard let email = EmailAddress(text) else { continue }
                bestEffort("release an address", try store.releaseIdentifier(identifier(email).identity, held.claim))
            }
        }
    }

    /// Returns a project's policy for the store; nil if there is none, or if users can sign in only with their number.
    func recycledNumberRule() -> RecycledNumberRule? {
        guard let policy = project.recycledNumbers, project.isPasswordSignInEnabled else { return nil }
        return RecycledNumberRule(
            policy.answer,
            provenBefore: now.milliseconds - policy.provenFor.milliseconds
        )
    }

    /// Returns an account's record.
    func accountRecord(_ identity: AccountIdentity) throws(AccountRefusal) -> AccountRecord {
        let record = try AccountRefusal.wrapping(store.account(identity))
        guard let record else { throw .accountUnknown }
        return record
    }
}

extension IdentifierClaim {
    /// The maximum time for which a worker may be processing a claim. It is far longer than requests take, and far
    /// shorter than ``AccountDeletion/markLifetime``, so that clock skew does no harm.
    static let freshness: Duration = .seconds(1800)

    /// How often a sign-in or a link is attempted while the number's account changes concurrently.
    static let attempts = 8
}

/// The account that has an identifier: the identifier's claim leads to the account, and the account holds the claim.
struct IdentifierHolder {
    let identity: AccountIdentity
    let record: AccountRecord
    let claim: IdentifierClaim
}

extension OperationContext {
    /// Returns the account that has an identifier, in two round trips; nil if there is none. The number of Redis
    /// queries does not depend on the result (no user enumeration by timing).
    func holder<Identity: IdentifierIdentity>(
        of identifier: Identity
    ) throws(StoreUnavailable) -> IdentifierHolder? {
        let claim = try store.claim(of: identifier)
        let uid = claim?.uid ?? identifier.hash
        let identity = AccountIdentity(project: identifier.project, uid: uid, among: store.shards)
        let record = try store.account(identity)
        guard let claim, let record, record.claimID(of: Identity.kind) == claim.id else { return nil }
        return IdentifierHolder(identity: identity, record: record, claim: claim)
    }
}
