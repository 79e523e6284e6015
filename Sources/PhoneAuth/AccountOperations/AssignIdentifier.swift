internal import Encodings

/// The outcome of giving an account an identifier.
enum AssignmentOutcome<Taken> {
    case taken(Taken)
    /// Another account holds the identifier.
    case ofAnother
    case hindered(SignInObstacle)
}

extension OperationContext {
    /// Gives an account an identifier and releases its former identifier of that kind.
    ///
    /// The order: the claim is stored in the account as pending, the identifier is claimed for the account, the account
    /// takes the identifier, the former identifier is released. If a worker dies
    /// - before the claim, nothing has changed: a pending claim alone has no effect;
    /// - before the account takes the identifier, the next sign-in that proves the identifier completes the step, or
    ///   the next attempt does;
    /// - before the former identifier is released, that identifier leads to an account that does not hold it: the next
    ///   user who proves it gets it.
    ///
    /// So at each moment the account is reachable by an identifier that it holds, and no identifier leads to two
    /// accounts.
    ///
    /// `first` is the claim that is stored with the identifier. `recycledNumbers` is for callers who proved the number:
    /// under this rule another account loses a number that may have been recycled. `presented` is the requester's ID
    /// token; nil for an operator. Unless the account already has the identifier, it must have the `revocation`
    /// counter; nil for any. A user who proved a number by a message takes it from an account that has it only by
    /// a test number's code. The step that takes the identifier revokes the account's tokens at `revokedAt`
    /// (seconds since the Unix epoch), even if a sign-in performs that step. `take` makes the account take the
    /// identifier under a claim. It returns nil if the account does not hold the claim because another request stored
    /// another pending identifier concurrently. This request then tries again, and the last one wins.
    /// - Throws: ``OperationFailure/contended`` if other requests won each time.
    func assign<Identity, Taken>(
        _ identifier: AccountIdentifier<Identity>,
        currentClaim first: IdentifierClaim?,
        to account: AccountIdentity,
        having revocation: Int64? = nil,
        revokingTokensAt revokedAt: Int64? = nil,
        onBehalfOf presented: PresentedToken? = nil,
        recycledNumbers: RecycledNumberRule? = nil,
        take: (NamedIdentifier) throws(OperationFailure) -> AssignmentOutcome<Taken>?
    ) throws(OperationFailure) -> AssignmentOutcome<Taken> {
        var currentClaim = first
        var refused: IdentifierClaim?
        for attempt in 1...IdentifierClaim.attempts {
            if let claim = currentClaim, claim != refused {
                if !claim.uid.hasSameBytes(as: account.uid) {
                    let provenBefore =
                        recycledNumbers.flatMap { $0.answer == .fresh ? $0.provenBefore : nil }
                        ?? (presented != nil && claim.isOfTestNumber && !identifier.isTestNumber ? 0 : nil)
                    if try isHeld(claim, identifier, losingNumberProvenBefore: provenBefore) { return .ofAnother }
                } else if claim.isOfTestNumber == identifier.isTestNumber, isConfirmed(identifier, of: account),
                    let outcome = try take(signInIdentifier(identifier, claim, of: account))
                {
                    return outcome
                }
            }
            let claim = newClaim(uid: account.uid, ofTestNumber: identifier.isTestNumber)
            if let obstacle = try note(claim, identifier, for: account, revocation, revokedAt, onBehalfOf: presented) {
                return .hindered(obstacle)
            }
            let next = try OperationFailure.wrapping(
                store.claimIdentifier(identifier.identity, claim, replacing: currentClaim)
            )
            currentClaim = next
            guard next == claim else { continue }
            if let outcome = try take(signInIdentifier(identifier, claim, of: account)) { return outcome }
            // The account will never take this claim, but the claim is stored with the identifier until another one
            // replaces it.
            refused = claim
            if attempt < IdentifierClaim.attempts { pause(after: attempt) }
        }
        if let refused {
            bestEffort("release a claim", try store.releaseIdentifier(identifier.identity, refused))
        }
        throw .contended
    }

    /// Pauses for a random time of less than 2 ms per attempt so far. Without a pause, two requests in lockstep would
    /// overwrite each other's pending claim in every attempt.
    private func pause(after attempt: Int) {
        let random = environment.randomBytes(2).reduce(0) { $0 << 8 | Int($1) }
        environment.pause(.milliseconds(2) * attempt * random / (1 << 16))
    }

    /// Returns whether replicas confirm a claim that another call stored, perhaps one that failed because they did not.
    /// If not, a new claim replaces it: unlike the confirmation, that also works while the slot is moved.
    private func isConfirmed<Identity>(_ identifier: AccountIdentifier<Identity>, of account: AccountIdentity) -> Bool {
        do {
            try store.confirmClaim(of: identifier.identity, for: account)
            return true
        } catch {
            return false
        }
    }

    /// Returns whether the account that a claim leads to has the identifier, and keeps it: with `provenBefore`, the
    /// account loses a number that may have been recycled, or that it has only by a test number's code.
    func isHeld<Identity>(
        _ claim: IdentifierClaim,
        _ identifier: AccountIdentifier<Identity>,
        losingNumberProvenBefore provenBefore: Int64?
    ) throws(OperationFailure) -> Bool {
        guard let provenBefore else {
            return try OperationFailure.wrapping(holdsClaim(claim, of: Identity.kind))
        }
        var identifiers = AuditedIdentifiers()
        identifiers.add(identifier.identity, claimID: claim.id)
        return try OperationFailure.wrapping(
            store.holdsClaim(
                claim,
                of: Identity.kind,
                isFresh: isFresh(claim),
                in: project.id,
                markMilliseconds: AccountDeletion.markLifetime.milliseconds,
                losingNumberProvenBefore: provenBefore,
                audit: audit(about: identifiers)
            )
        )
    }

    /// Stores the claim in the account as pending. Returns the obstacle, if there is one.
    private func note<Identity>(
        _ claim: IdentifierClaim,
        _ identifier: AccountIdentifier<Identity>,
        for account: AccountIdentity,
        _ revocation: Int64?,
        _ revokedAt: Int64?,
        onBehalfOf presented: PresentedToken?
    ) throws(OperationFailure) -> SignInObstacle? {
        let sealed = try seal(Identity.kind, identifier.text, for: account)
        do {
            let proposal = try store.proposeIdentifier(
                Identity.kind,
                sealed,
                claim,
                to: account,
                having: revocation,
                revokingTokensAt: revokedAt,
                onBehalfOf: presented
            )
            return switch proposal {
            case .proposed: nil
            case .noAccount: .noAccount(wasDeleted: false)
            case .tokenRevoked: .token(.revoked)
            case .signInTooOld: .token(.tooOld)
            }
        } catch {
            throw .unavailable(error)
        }
    }
}
