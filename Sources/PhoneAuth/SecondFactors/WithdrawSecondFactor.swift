internal import Encodings
internal import RedisScripts

extension OperationContext {
    /// Removes a second factor from the account of an ID token's user. Earlier tokens are revoked, and the user gets
    /// new ones. The new tokens name the session's second factor, unless that factor was removed. Removing the last
    /// factor also removes the recovery codes, so the new tokens do not name one either.
    /// - Throws: ``SecondFactorRefusal``; then nothing has changed.
    public func withdrawSecondFactor(_ id: String, idToken: String) throws(SecondFactorRefusal) -> IssuedTokens {
        let user = try SecondFactorRefusal.wrapping(
            refusalOf: authenticate(idToken: idToken, for: .withdrawSecondFactor)
        )
        guard user.record.secondFactors.contains(where: { $0.id == id }) else { throw .factorUnknown }
        var changes = AccountUpdate()
        changes.removedSecondFactors = [id]
        let isGone = user.session.secondFactor?.id == id || user.record.secondFactors.count == 1
        return try changeSecondFactors(
            of: user,
            .presence(of: id),
            changes,
            sessionFactor: isGone ? nil : user.session.secondFactor
        )
    }

    /// Removes one or all second factors from an account for an operator; `id` nil removes all. Earlier tokens are
    /// revoked.
    /// - Throws: ``SecondFactorRefusal``.
    public func withdrawSecondFactors(_ id: String?, uid: String) throws(SecondFactorRefusal) -> [SecondFactor] {
        let identity = AccountIdentity(project: project.id, uid: uid, among: store.shards)
        var withdrawn: [SecondFactor] = []
        // Removing all includes factors that the user enrolls concurrently.
        for _ in 0..<IdentifierClaim.attempts {
            let record = try SecondFactorRefusal.wrapping(store.account(identity))
            guard let record else { throw .notAuthenticated(.accountUnknown) }
            let present = record.secondFactors.filter { id == nil || $0.id == id }
            guard !present.isEmpty else { break }
            try withdraw(present, from: identity, record)
            withdrawn += present.map { SecondFactor($0, of: identity, keys) }
            if id != nil { break }
        }
        guard !withdrawn.isEmpty else { throw .factorUnknown }
        return withdrawn
    }

    private func withdraw(
        _ factors: [SecondFactorRecord],
        from account: AccountIdentity,
        _ record: AccountRecord
    ) throws(SecondFactorRefusal) {
        // `+ 1` also revokes tokens of this very second: none are issued here.
        var changes = AccountUpdate(fields: [.validSince: String(now.seconds + 1)])
        changes.removedSecondFactors = factors.map(\.id)
        let known = identifiers(of: Account(account, record, keys), record)
        let outcome = try SecondFactorRefusal.wrapping(
            store.updateAccount(account, changes, audit: audit(about: known))
        )
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
        callingHooks hooks: SignInHooks? = nil
    ) throws(SecondFactorRefusal) -> IssuedTokens {
        var request = TokenRequest(continuing: user, identifiers: identifiers(of: user))
        request.secondFactorNeed = need
        request.secondFactor = sessionFactor
        request.enrollment = enrollment
        request.changes = changes
        request.hooks = hooks
        request.revokeEarlierTokens(at: now)
        let outcome = try SecondFactorRefusal.wrapping(failureOf: issueTokens(request))
        switch outcome {
        case .issued(let tokens): return tokens
        case .hindered(.secondFactor(.refused(let fault))): throw SecondFactorRefusal(fault)
        case .hindered(let obstacle): throw .notAuthenticated(IDTokenRefusal(obstacle))
        }
    }
}
