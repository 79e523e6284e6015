internal import Encodings
internal import RedisStore

/// The outcome of giving an account an identifier.
enum GiftOutcome<Taken> {
    case taken(Taken)
    /// Another account holds the identifier.
    case ofAnother
    case noAccount
    /// The ID token of the request was revoked.
    case tokenRevoked
    /// The account's state now requires a more recent sign-in than the ID token's.
    case signInTooOld
}

extension Authenticator {
    /// Gives an account an identifier and releases its former identifier of that kind.
    ///
    /// The order: the account notes the claim, the identifier is claimed for the account, the account takes the
    /// identifier, the former identifier is released. If a worker dies
    /// - before the claim, nothing has changed: the note alone has no effect;
    /// - before the account takes the identifier, the next sign-in that proves the identifier completes it, or the next
    ///   attempt;
    /// - before the former identifier is released, that identifier leads to an account that does not hold it: the next
    ///   user who proves it gets it.
    ///
    /// So at each moment the account is reachable by an identifier that it holds, and no identifier leads to two
    /// accounts.
    ///
    /// `first` is the claim that is stored with the identifier. `recycledNumbers` is for callers who proved the number:
    /// under this rule another account loses a number that may have been recycled. `presented` is the requester's ID
    /// token; nil for an operator. The step that takes the identifier revokes the account's tokens at `revokedAt`
    /// (seconds since the Unix epoch), even if a sign-in makes that step. `take` makes the account take the identifier
    /// under a claim. It returns nil if the account does not hold the claim: another request noted another identifier
    /// concurrently, so this one tries again and the last one wins.
    /// - Throws: ``OperationFailure/contended`` if other requests won each time.
    func give<Subject, Taken>(
        _ identifier: AccountIdentifier<Subject>,
        standing first: IdentifierClaim?,
        to account: AccountIdentity,
        revokingTokensAt revokedAt: Int64? = nil,
        onBehalfOf presented: PresentedToken? = nil,
        recycledNumbers: RecycledNumberRule? = nil,
        in project: Project,
        _ now: Instant,
        take: (SignInRecord.Identifier) throws(OperationFailure) -> Taken?
    ) throws(OperationFailure) -> GiftOutcome<Taken> {
        var standing = first
        var refused: IdentifierClaim?
        for _ in 0..<Policy.claimAttempts {
            if let claim = standing, claim != refused {
                if claim.uid != account.uid {
                    if try isHeld(claim, identifier, recycledNumbers, in: project, now) { return .ofAnother }
                } else if let taken = try take(signInIdentifier(identifier, claim, of: account, now)) {
                    return .taken(taken)
                }
            }
            let claim = newClaim(uid: account.uid, at: now)
            switch try note(claim, identifier, for: account, revokedAt, onBehalfOf: presented) {
            case .proposed: break
            case .noAccount: return .noAccount
            case .tokenRevoked: return .tokenRevoked
            case .signInTooOld: return .signInTooOld
            }
            let next: IdentifierClaim
            do {
                next = try store.claimIdentifier(identifier.identity, claim, replacing: standing)
            } catch {
                throw .unavailable(error)
            }
            standing = next
            guard next == claim else { continue }
            if let taken = try take(signInIdentifier(identifier, claim, of: account, now)) { return .taken(taken) }
            // The account will never take this claim, but the claim is stored with the identifier until another one
            // replaces it.
            refused = claim
        }
        if let refused { try? store.releaseIdentifier(identifier.identity, refused) }
        throw .contended
    }

    private func isHeld<Subject>(
        _ claim: IdentifierClaim,
        _ identifier: AccountIdentifier<Subject>,
        _ recycledNumbers: RecycledNumberRule?,
        in project: Project,
        _ now: Instant
    ) throws(OperationFailure) -> Bool {
        guard let rule = recycledNumbers, rule.answer == .fresh else {
            do { return try holdsClaim(claim, of: Subject.kind, in: project, now) } catch { throw .unavailable(error) }
        }
        var identifiers = AuditedIdentifiers()
        identifiers.add(identifier.identity, claimID: claim.id)
        do {
            return try store.holdsClaim(
                claim,
                of: Subject.kind,
                isFresh: isFresh(claim, at: now),
                in: project.id,
                markMilliseconds: Policy.deletionMarkLifetime.milliseconds,
                losingNumberProvenBefore: rule.provenBefore,
                audit: audit(about: identifiers, in: project)
            )
        } catch {
            throw .unavailable(error)
        }
    }

    /// Notes the claim in the account.
    private func note<Subject>(
        _ claim: IdentifierClaim,
        _ identifier: AccountIdentifier<Subject>,
        for account: AccountIdentity,
        _ revokedAt: Int64?,
        onBehalfOf presented: PresentedToken?
    ) throws(OperationFailure) -> Store.IdentifierProposal {
        let sealed = try seal(Subject.kind, identifier.text, for: account)
        do {
            return try store.proposeIdentifier(
                Subject.kind,
                sealed,
                claim,
                to: account,
                revokingTokensAt: revokedAt,
                onBehalfOf: presented
            )
        } catch {
            throw .unavailable(error)
        }
    }
}
