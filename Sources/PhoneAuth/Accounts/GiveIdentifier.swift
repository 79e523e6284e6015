internal import Encodings
internal import RedisStore

/// What came of giving an account an identifier.
enum GiftOutcome<Taken> {
    case taken(Taken)
    /// It is another account's.
    case ofAnother
    case noAccount
    /// The ID token on whose behalf it was to be given was revoked.
    case tokenRevoked
    /// The ID token's sign-in is too old for what the account has become.
    case signInTooOld
}

extension Authenticator {
    /// Gives an account an identifier, and takes its former one of that kind away.
    ///
    /// The account first notes that it is about to get the identifier, then that is claimed for it, then the account takes it,
    /// then the former one lets go. Where a worker dies
    /// - before the claim, nothing has changed: the note alone means nothing;
    /// - before the account takes it, the next sign-in that proves it does that for it, or the next attempt;
    /// - before the former one lets go, that leads to an account that does not hold it: whoever comes with it next may have it.
    ///
    /// So at each moment the account is reached by an identifier that it holds, and none leads to two.
    ///
    /// `first` is the claim that stands with the identifier. By the rule on `recycledNumbers` another account has just lost a number
    /// that may have another holder by now; it is for those who proved the number. `presented` is the ID token of
    /// anyone who asks for it, unless an operator does. The step that takes the identifier revokes the account's tokens
    /// at `revokedAt`, in seconds, even if a sign-in makes that step. `take` makes the account take it under a claim,
    /// and answers nil where the account does not hold that: another request noted another identifier meanwhile, so
    /// this one tries again and the last one wins.
    /// - Throws: ``OperationFailure/contended`` if others came first each time.
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
            // The account will never take this claim, but it stands with the identifier until another one replaces it.
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
