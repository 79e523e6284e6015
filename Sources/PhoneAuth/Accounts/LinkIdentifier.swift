internal import RedisStore

/// What came of giving an account an identifier.
enum LinkOutcome {
    case linked(IssuedTokens)
    /// It is another account's.
    case ofAnother
    case disabled
    case noAccount
}

extension Authenticator {
    /// Gives an account an identifier, takes its former one of that kind away, and issues tokens.
    ///
    /// The account first notes that it is about to get the identifier, then that is claimed for it, then the account takes it,
    /// then the former one lets go. Where a worker dies
    /// - before the claim, nothing has changed: the note alone means nothing;
    /// - before the account takes it, the next sign-in that proves it does that for it, or the next attempt;
    /// - before the former one lets go, that leads to an account that does not hold it: whoever comes with it next may have it.
    ///
    /// So at each moment the account is reached by an identifier that it holds, and none leads to two.
    ///
    /// `first` is the claim that stands with the identifier, and `request` becomes part of the step in which the account takes it.
    func link<Subject>(
        _ identifier: AccountIdentifier<Subject>,
        standing first: IdentifierClaim?,
        _ request: TokenRequest,
        in project: Project,
        _ now: Instant
    ) throws(OperationFailure) -> LinkOutcome {
        var standing = first
        for _ in 0..<Policy.claimAttempts {
            if let claim = standing {
                if claim.uid != request.account.uid {
                    if try isHeldByAnother(claim, identifier, in: project, now) { return .ofAnother }
                } else if let outcome = try take(claim, identifier, request, in: project, now) {
                    return outcome
                }
            }
            let claim = newClaim(uid: request.account.uid, at: now)
            guard try note(claim, identifier, for: request.account) else { return .noAccount }
            let next: IdentifierClaim
            do {
                next = try store.claimIdentifier(identifier.identity, claim, replacing: standing)
            } catch {
                throw .unavailable(error)
            }
            standing = next
            guard next == claim else { continue }
            if let outcome = try take(claim, identifier, request, in: project, now) { return outcome }
            // Another request gave the account another identifier, or deleted it, in between.
            try? store.releaseIdentifier(identifier.identity, claim)
            throw .interrupted
        }
        throw .interrupted
    }

    /// Whether another account holds the identifier, which was proven. By the project's policy it has just lost a number that
    /// may have another holder by now: the one who proved it.
    private func isHeldByAnother<Subject>(
        _ claim: IdentifierClaim,
        _ identifier: AccountIdentifier<Subject>,
        in project: Project,
        _ now: Instant
    ) throws(OperationFailure) -> Bool {
        let rule = Subject.kind == .phone ? recycledNumberRule(in: project, now) : nil
        var identifiers = AuditedIdentifiers()
        identifiers.add(identifier.identity, claimID: claim.id)
        do {
            return try store.holdsClaim(
                claim,
                of: Subject.kind,
                isFresh: isFresh(claim, at: now),
                in: project.id,
                markMilliseconds: Policy.deletionMarkLifetime.milliseconds,
                losingNumberProvenBefore: rule?.answer == .fresh ? rule?.provenBefore : nil,
                audit: audit(about: identifiers, in: project)
            )
        } catch {
            throw .unavailable(error)
        }
    }

    /// Notes the claim in the account; false where there is none.
    private func note<Subject>(
        _ claim: IdentifierClaim,
        _ identifier: AccountIdentifier<Subject>,
        for account: AccountIdentity
    ) throws(OperationFailure) -> Bool {
        let sealed = try seal(Subject.kind, identifier.text, for: account)
        do {
            return try store.proposeIdentifier(Subject.kind, sealed, claim, to: account)
        } catch {
            throw .unavailable(error)
        }
    }

    /// Makes the account take what is claimed for it; nil where it does not hold the claim.
    private func take<Subject>(
        _ claim: IdentifierClaim,
        _ identifier: AccountIdentifier<Subject>,
        _ request: TokenRequest,
        in project: Project,
        _ now: Instant
    ) throws(OperationFailure) -> LinkOutcome? {
        var request = request
        request.identifier = try signInIdentifier(identifier, claim, of: request.account, now)
        request.auditedIdentifiers.add(identifier.identity, claimID: claim.id)
        switch try issueTokens(request, in: project, now) {
        case .issued(let tokens): return .linked(tokens)
        case .disabled: return .disabled
        case .noAccount: return .noAccount
        case .notHeld, .exists, .recycled: return nil
        }
    }
}
