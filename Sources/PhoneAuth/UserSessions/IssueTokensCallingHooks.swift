internal import Encodings
internal import RedisScripts

extension OperationContext {
    /// Calls the project's hooks for a sign-in and then records it, with their changes, in one atomic step.
    ///
    /// Looks ahead first, so hooks are not called for a sign-in that would fail anyway. Nothing is recorded while hooks
    /// are called: if a hook denies or a worker dies, no account remains. An account is created under exactly the
    /// uid that ``BlockingHookEvent/beforeCreate`` received, or not at all. If another request creates or changes the
    /// account concurrently, everything starts over: of several racing sign-ins with a new number, one creates the
    /// account, although each may have called the hook.
    ///
    /// A change that revokes the earlier tokens is recorded with the time after the hook's response. So it also ends
    /// the sessions that began in the meantime, without the new factor or with the former password.
    ///
    /// Hooks are called only for users who have proven everything that they need: not before a required second factor
    /// is proven, nor with a wrong one. But the slot is taken before Redis verifies a second factor, see
    /// ``BlockingHookSlots``.
    func callHooksAndIssueTokens(
        _ request: TokenRequest,
        _ hooks: SignInHooks
    ) throws(OperationFailure) -> TokenOutcome {
        do {
            try hooks.takeSlot()
        } catch {
            withdraw(request)
            throw error
        }
        for _ in 0..<IdentifierClaim.attempts {
            let record: AccountRecord?
            switch try look(request) {
            case .possible(let found): record = found
            case .hindered(let obstacle): return .hindered(obstacle)
            }
            var allowed: TokenRequest
            do {
                allowed = try ask(hooks, about: request, of: record)
            } catch {
                if case .blocked = error { withdraw(request) }
                throw error
            }
            var recording = self
            if request.changes.fields[.validSince] != nil {
                recording = resumed()
                allowed.revokeEarlierTokens(at: recording.now)
            }
            do {
                let outcome = try recording.recordSignIn(allowed)
                if case .hindered(.exists) = outcome, !request.mustCreate { continue }
                return outcome
            } catch {
                guard case .interrupted = error else { throw error }
            }
        }
        throw .interrupted
    }

    private func look(_ request: TokenRequest) throws(OperationFailure) -> SignInRecord.Prospect {
        try OperationFailure.wrapping(store.lookAhead(signInRecord(request, refreshToken(for: request))))
    }

    /// Returns the request with the hooks' changes.
    private func ask(
        _ hooks: SignInHooks,
        about request: TokenRequest,
        of record: AccountRecord?
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
            _ = try ask(.beforeSecondFactorEnrollment, about: user, request, hooks)
            return allowed
        }
        if record == nil {
            allowed.mustCreate = true
            let changes = try ask(.beforeCreate, about: user, request, hooks)
            allowed.take(changes, of: user)
            user.take(changes)
        }
        // A disabled account cannot sign in.
        guard !user.isDisabled else { return allowed }
        let changes = try ask(.beforeSignIn, about: user, request, hooks)
        allowed.take(changes, of: user)
        if changes.fields[.isEmailVerified] != nil { allowed.requiredWaysToSignIn = record?.waysToSignIn ?? "" }
        return allowed
    }

    /// Cleans up a sign-in that hooks blocked. If the account does not hold the identifier, the claim is released.
    /// Concurrent requests can then no longer complete the sign-in.
    private func withdraw(_ request: TokenRequest) {
        guard let held = request.identifier.map(HeldIdentifier.init) else { return }
        let isHeld = bestEffort(
            "withdraw a claim",
            try store.holdsClaim(
                held.claim,
                of: held.kind,
                isFresh: false,
                in: project.id,
                markMilliseconds: AccountDeletion.markLifetime.milliseconds,
                audit: nil
            )
        )
        if isHeld == false { release([held], of: request.account) }
    }

    /// Calls the project's hook for a user.
    /// - Returns: the hook's changes; empty if the project has no such hook.
    func ask(
        _ event: BlockingHookEvent,
        about user: HookedUser,
        _ request: TokenRequest,
        _ hooks: SignInHooks
    ) throws(OperationFailure) -> HookChanges {
        guard let hook = project.blockingHooks[event] else { return HookChanges() }
        // The previous hook may have taken seconds.
        let operation = resumed()
        let jwt: String
        do {
            let token = HookToken(
                event: event,
                hook: hook,
                user: user,
                provider: request.provider,
                secondFactor: request.sessionFactor,
                enrollment: try request.enrollment.map { enrollment throws(CryptographyFailure) in
                    try operation.hooked(enrollment, of: user)
                },
                client: hooks.client,
                id: Base64URL.string(environment.randomBytes(16))
            )
            jwt = try token.signed(with: keys.signingKey(at: operation.now), at: operation.now, in: project, policy)
        } catch {
            throw .cryptographyFailed
        }
        let body = JSONWriter.object { json in json.object("data") { $0.member("jwt", jwt) } }
        let (reply, duration) = try hooks.takeSlot().call(hook, body)
        // The time of the hook does not count against the store's deadline.
        store.extendDeadline(by: duration)
        switch reply {
        case .answered(status: 200..<300, let body):
            do { return try HookChanges(body, to: event) } catch { throw .failed(error, of: event, hook) }
        case .answered(let status, let body):
            throw .blocked(.denied(BlockingHookDenial(event, hook, status: status, body)))
        case .timedOut: throw .failed(.timedOut, of: event, hook)
        case .unreachable(let reason): throw .failed(.unreachable(reason), of: event, hook)
        }
    }

    private func hooked(
        _ enrollment: SecondFactorEnrollment,
        of user: HookedUser
    ) throws(CryptographyFailure) -> HookedEnrollment {
        let code = SecondFactorRevertCode(reverting: enrollment.factor.id, of: user.uid, at: now)
        return HookedEnrollment(
            factor: enrollment.factor,
            revertCode: try code.text(in: project, keys, environment)
        )
    }
}

extension TokenRequest {
    /// Applies a hook's changes. `emailVerified` is ignored if the user has no e-mail address.
    fileprivate mutating func take(_ changed: HookChanges, of user: HookedUser) {
        for (field, value) in changed.fields where field != .isEmailVerified || user.email != nil {
            changes.fields[field] = .some(value)
        }
        if let claims = changed.sessionClaims { tokenClaims = claims }
    }
}

extension OperationFailure {
    fileprivate static func failed(
        _ fault: BlockingHookFault,
        of event: BlockingHookEvent,
        _ hook: ServiceURL
    ) -> OperationFailure {
        .blocked(.failed(fault, of: event, hook: hook))
    }
}
