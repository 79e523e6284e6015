internal import Encodings

extension OperationContext {
    /// Creates many new accounts in four round trips, and four more if replicas must confirm them.
    ///
    /// Each follows the order of `AssignIdentifier.swift`: the account is created with the claims as pending, the
    /// identifiers are claimed, and the account takes them. A number counts as last proven at the user's last sign-in,
    /// or when the account was created.
    ///
    /// If the import is killed in between, the next import completes it, except for accounts whose users have signed
    /// in: these must not be deleted if an identifier is taken, so the operator decides what happens to them
    /// (``ExistingAccounts``). The audit log has no events of an import: a million events would evict those that
    /// matter.
    /// - Returns: the candidates with which another request conflicted.
    func makeAccounts(
        _ candidates: [ImportCandidate],
        refuse: (Int, AccountRefusal) -> Void
    ) throws(StoreUnavailable) -> [ImportCandidate] {
        var makings: [Making] = []
        for candidate in candidates {
            do {
                makings.append(try making(candidate))
            } catch {
                refuse(candidate.index, error)
            }
        }
        for (index, record) in try store.createAccounts(makings.map(\.creation)).enumerated() where record == nil {
            makings[index].isContested = true
        }
        try claim(\.candidate.assignments.number, \.number, of: &makings)
        try claim(\.candidate.assignments.email, \.email, of: &makings)

        var takings: [(making: Int, taken: TakenIdentifier)] = []
        for (index, making) in makings.enumerated() where !making.isContested {
            let identifiers = [making.number, making.email].compactMap(\.self)
            for (place, identifier) in identifiers.enumerated() {
                let isVerified = identifier.kind == .email ? making.candidate.assignments.isEmailVerified : nil
                let taken = TakenIdentifier(
                    identifier,
                    isVerified: isVerified,
                    for: making.candidate.identity,
                    provenAt: making.candidate.imported.change.lastLoginAt?.milliseconds,
                    completesCreation: place == identifiers.count - 1,
                    audit: nil
                )
                takings.append((index, taken))
            }
        }
        for (taking, outcome) in zip(takings, try store.takeIdentifiers(takings.map(\.taken))) {
            if case .taken = outcome { continue }
            makings[taking.making].isContested = true
        }
        return makings.filter(\.isContested).map(\.candidate)
    }

    /// A new account that is being created.
    struct Making {
        let candidate: ImportCandidate
        let number: NamedIdentifier?
        let email: NamedIdentifier?
        let creation: AccountCreation
        var isContested = false
    }

    func making(_ candidate: ImportCandidate) throws(AccountRefusal) -> Making {
        let account = candidate.identity
        var update = try update(candidate.imported.change, candidate.secondFactors, of: account, having: [])
        let number: NamedIdentifier?
        let email: NamedIdentifier?
        do {
            number = try candidate.assignments.number.map { assignment throws(OperationFailure) in
                try signInIdentifier(assignment, newClaim(uid: account.uid), of: account)
            }
            email = try candidate.assignments.email.map { assignment throws(OperationFailure) in
                try signInIdentifier(assignment, newClaim(uid: account.uid), of: account)
            }
        } catch {
            throw .failed(error)
        }
        update.proposed = [number, email].compactMap(\.self)
        return Making(
            candidate: candidate,
            number: number,
            email: email,
            creation: AccountCreation(
                account: account,
                requestID: candidate.requestID,
                now: now.milliseconds,
                changes: update,
                audit: nil
            )
        )
    }

    /// Claims all identifiers of one kind.
    private func claim<Identity>(
        _ assignment: (Making) -> AccountIdentifier<Identity>?,
        _ identifier: (Making) -> NamedIdentifier?,
        of makings: inout [Making]
    ) throws(StoreUnavailable) {
        var places: [Int] = []
        var claims: [(identifier: Identity, claim: IdentifierClaim)] = []
        for (index, making) in makings.enumerated() where !making.isContested {
            guard let assignment = assignment(making), let identifier = identifier(making) else { continue }
            places.append(index)
            claims.append((assignment.identity, identifier.claim))
        }
        let current = try store.claimIdentifiers(claims, isConfirmed: true)
        for (place, (wanted, currentClaim)) in zip(places, zip(claims, current)) where currentClaim != wanted.claim {
            makings[place].isContested = true
        }
    }
}
