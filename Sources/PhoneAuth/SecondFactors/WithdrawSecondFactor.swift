internal import RedisStore

extension Authenticator {
    /// Removes a second factor from the account of an ID token's user. Earlier tokens are revoked, and the user gets
    /// new ones. The new tokens name the session's second factor, unless that factor was removed. Removing the last
    /// factor also removes the recovery codes.
    /// - Throws: ``SecondFactorRefusal``; then nothing has changed.
    public func withdrawSecondFactor(
        _ id: String,
        idToken: String,
        in project: Project
    ) throws(SecondFactorRefusal) -> IssuedTokens {
        let user: AuthenticatedUser
        do {
            user = try authenticate(idToken: idToken, for: .withdrawSecondFactor, in: project)
        } catch {
            throw .notAuthenticated(error)
        }
        guard user.record.secondFactors.contains(where: { $0.id == id }) else { throw .factorUnknown }
        let now = environment.now()
        var changes = AccountUpdate()
        changes.removedSecondFactors = [id]
        return try changeSecondFactors(
            of: user,
            .presence(of: id),
            changes,
            sessionFactor: user.session.secondFactor?.id == id ? nil : user.session.secondFactor,
            in: project,
            now
        )
    }

    /// Removes one or all second factors from an account for an operator; `id` nil removes all. Earlier tokens are
    /// revoked.
    /// - Throws: ``SecondFactorRefusal``.
    public func withdrawSecondFactors(
        _ id: String?,
        uid: String,
        in project: Project
    ) throws(SecondFactorRefusal) -> [SecondFactor] {
        let identity = AccountIdentity(project: project.id, uid: uid, among: store.shards)
        var withdrawn: [SecondFactor] = []
        // Removing all includes factors that the user enrols concurrently.
        for _ in 0..<Policy.claimAttempts {
            let record: AccountRecord?
            do { record = try store.account(identity) } catch { throw .failed(.unavailable(error)) }
            guard let record else { throw .notAuthenticated(.accountUnknown) }
            let present = record.secondFactors.filter { id == nil || $0.id == id }
            guard !present.isEmpty else { break }
            try withdraw(present, from: identity, record, in: project)
            withdrawn += present.map { SecondFactor($0, of: identity, keys) }
            if id != nil { break }
        }
        guard !withdrawn.isEmpty else { throw .factorUnknown }
        return withdrawn
    }

    private func withdraw(
        _ factors: [SecondFactorRecord],
        from account: AccountIdentity,
        _ record: AccountRecord,
        in project: Project
    ) throws(SecondFactorRefusal) {
        // `+ 1` also revokes tokens of this very second: none are issued here.
        var changes = AccountUpdate(fields: [.validSince: String(environment.now().seconds + 1)])
        changes.removedSecondFactors = factors.map(\.id)
        let known = identifiers(of: Account(account, record, keys), record, in: project)
        let outcome: AccountUpdate.Outcome
        do {
            outcome = try store.updateAccount(account, changes, audit: audit(about: known, in: project))
        } catch {
            throw .failed(.unavailable(error))
        }
        guard case .updated = outcome else { throw .notAuthenticated(.accountUnknown) }
    }

    /// Changes an account's second factors, revokes all earlier tokens and issues new ones in one atomic step. The
    /// session continues: the time of its sign-in is unchanged.
    func changeSecondFactors(
        of user: AuthenticatedUser,
        _ need: SecondFactorNeed,
        _ changes: AccountUpdate,
        sessionFactor: ProvenSecondFactor?,
        enrollment: SecondFactorEnrollment? = nil,
        askingHooks hooks: SignInHooks? = nil,
        in project: Project,
        _ now: Instant
    ) throws(SecondFactorRefusal) -> IssuedTokens {
        var request = TokenRequest(continuing: user, identifiers: identifiers(of: user, in: project))
        request.secondFactorNeed = need
        request.secondFactor = sessionFactor
        request.enrollment = enrollment
        request.changes = changes
        request.hooks = hooks
        request.revokeEarlierTokens(at: now)
        return try issueTokens(
            request,
            whereDisabled: .notAuthenticated(.accountDisabled),
            whereGone: .notAuthenticated(.accountUnknown),
            in: project,
            now
        )
    }
}
