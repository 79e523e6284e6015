internal import Encodings
internal import RedisStore

extension Authenticator {
    /// Asks the project's hooks about a sign-in and then records it, with what they change, in one step.
    ///
    /// First it is looked what would come of it: hooks hear of nothing that comes to nothing anyway. While they think, nothing
    /// is recorded: a hook that says no, or a worker that dies, leaves no account, and an account is made under just the uid
    /// that ``BlockingHookEvent/beforeCreate`` was told, or not at all. Where others made or changed the account meanwhile, all
    /// is asked anew: of racing sign-ins of a new number one makes the account, though each may have asked.
    ///
    /// A change that revokes the earlier tokens is recorded as of the time after the hook's answer, so it also ends the
    /// sessions that began in the meantime, without the new factor or with the former password.
    ///
    /// Hooks are asked about users who have been proven by all that they need: who is to be asked for a second factor, or comes with
    /// a wrong one, is not yet. But the turn is taken before Redis verifies a second factor, see ``BlockingHookTurns``.
    func issueTokens(
        _ request: TokenRequest,
        asking hooks: SignInHooks,
        in project: Project,
        _ now: Instant
    ) throws(OperationFailure) -> TokenOutcome {
        do {
            try hooks.takeTurn()
        } catch {
            withdraw(request, in: project)
            throw error
        }
        for _ in 0..<Policy.claimAttempts {
            let record: AccountRecord?
            switch try look(request, in: project, now) {
            case .possible(let found): record = found
            case .impossible(let outcome): return outcome
            }
            var allowed: TokenRequest
            do {
                allowed = try ask(hooks, about: request, of: record, in: project, now)
            } catch {
                if case .blocked = error { withdraw(request, in: project) }
                throw error
            }
            var recordedAt = now
            if request.changes.fields[.validSince] != nil {
                recordedAt = environment.now()
                allowed.revokeEarlierTokens(at: recordedAt)
            }
            do {
                let outcome = try recordSignIn(allowed, in: project, recordedAt)
                if case .exists = outcome, !request.mustMake { continue }
                return outcome
            } catch {
                guard case .interrupted = error else { throw error }
            }
        }
        throw .interrupted
    }

    private enum Prospect {
        /// It would sign in to this account; to a new one where there is none.
        case possible(AccountRecord?)
        case impossible(TokenOutcome)
    }

    private func look(
        _ request: TokenRequest,
        in project: Project,
        _ now: Instant
    ) throws(OperationFailure) -> Prospect {
        let token = RefreshToken.make(for: request.account, continuing: request.continuedSession, environment)
        do {
            switch try store.lookAhead(signInRecord(request, token, in: project, now)) {
            case .possible(let record): return .possible(record)
            case .disabled: return .impossible(.disabled)
            case .tokenRevoked: return .impossible(.tokenRevoked)
            case .signInTooOld: return .impossible(.signInTooOld)
            case .noAccount: return .impossible(.noAccount())
            case .exists: return .impossible(.exists)
            case .notHeld: return .impossible(.notHeld)
            case .recycled: return .impossible(.recycled)
            case .secondFactorRequired(let record): return .impossible(.secondFactorRequired(record))
            case .secondFactorRefused(let fault): return .impossible(.secondFactorRefused(fault))
            }
        } catch {
            throw .unavailable(error)
        }
    }

    /// The request with what hooks change.
    private func ask(
        _ hooks: SignInHooks,
        about request: TokenRequest,
        of record: AccountRecord?,
        in project: Project,
        _ now: Instant
    ) throws(OperationFailure) -> TokenRequest {
        var allowed = request
        var user =
            record.map { HookedUser(Account(request.account, $0, keys)) }
            ?? HookedUser(uid: request.account.uid, at: now)
        if let held = request.identifier.map(HeldIdentifier.init),
            let text = Account.identifier(held.kind, held.sealed, of: request.account, keys)
        {
            user.hold(held.kind, text)
        }
        user.take(request.changes)
        if request.enrollment != nil {
            _ = try ask(.beforeSecondFactorEnrollment, about: user, request, hooks, in: project)
            return allowed
        }
        if record == nil {
            allowed.mustMake = true
            let changes = try ask(.beforeCreate, about: user, request, hooks, in: project)
            allowed.take(changes, of: user)
            user.take(changes)
        }
        // An account that is made disabled signs nobody in.
        guard !user.isDisabled else { return allowed }
        let changes = try ask(.beforeSignIn, about: user, request, hooks, in: project)
        allowed.take(changes, of: user)
        if changes.fields[.isEmailVerified] != nil { allowed.requiredEmailClaim = record?.emailClaimID ?? "" }
        return allowed
    }

    /// Leaves nothing of a sign-in that hooks kept from being done: what was claimed for an account that holds it not, because
    /// it was not made or did not take it yet, is let go, and nobody who is on the way makes it so any more.
    private func withdraw(_ request: TokenRequest, in project: Project) {
        guard let held = request.identifier.map(HeldIdentifier.init) else { return }
        let isHeld = try? store.holdsClaim(
            held.claim,
            of: held.kind,
            isFresh: false,
            in: project.id,
            markMilliseconds: Policy.deletionMarkLifetime.milliseconds,
            audit: nil
        )
        if isHeld == false { release([held], of: request.account, in: project) }
    }
}

extension TokenRequest {
    /// Takes over what a hook changes. Without an address there is nothing to be verified.
    fileprivate mutating func take(_ changed: HookChanges, of user: HookedUser) {
        for (field, value) in changed.fields where field != .isEmailVerified || user.email != nil {
            changes.fields[field] = .some(value)
        }
        if let claims = changed.sessionClaims { tokenClaims = claims }
    }
}
