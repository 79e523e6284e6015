internal import Encodings
internal import Passwords
public import RedisScripts

extension OperationContext {
    /// Imports many accounts, each independently, in a few round trips for all of them.
    ///
    /// An import is idempotent, even after it was killed: finished accounts are recognized, and unfinished accounts are
    /// completed unless their users have signed in. An account is rejected as a whole: if its number or e-mail address
    /// belongs to another account, it does not exist afterwards. New accounts of the batch are created together
    /// (``makeAccounts(_:refuse:)``), all others one by one.
    ///
    /// A rehearsal (dry run) changes nothing, and does not find conflicts between accounts of the same import.
    /// - Returns: the outcome of each account, in their order.
    /// - Throws: ``StoreUnavailable``; then any part of the import may have been done.
    public func importAccounts(
        _ accounts: [ImportedAccount],
        _ existing: ExistingAccounts,
        isDryRun: Bool = false
    ) throws(StoreUnavailable) -> [ImportOutcome] {
        var outcomes = [ImportOutcome](repeating: .created, count: accounts.count)
        var candidates: [ImportCandidate] = []
        for (index, imported) in accounts.enumerated() {
            do {
                candidates.append(try candidate(imported, index))
            } catch {
                outcomes[index] = try .refusal(error)
            }
        }
        try lookUp(&candidates)
        var others: [ImportCandidate] = []
        var new: [ImportCandidate] = []
        for candidate in candidates {
            if isDone(candidate) {
                outcomes[candidate.index] = .unchanged
            } else if candidate.isNew {
                new.append(candidate)
            } else {
                others.append(candidate)
            }
        }
        if isDryRun {
            for candidate in new {
                do {
                    try checkSecondFactors(of: candidate)
                } catch {
                    outcomes[candidate.index] = try .refusal(error)
                }
            }
            for candidate in others {
                outcomes[candidate.index] = try dryRun(candidate, existing)
            }
            return outcomes
        }
        let contested = try makeAccounts(new) { outcomes[$0] = .refused($1) }
        for candidate in contested + others {
            outcomes[candidate.index] = try importAlone(candidate, existing)
        }
        // An earlier run may have failed because replicas did not confirm these accounts or their claims.
        let unchanged = candidates.filter { if case .unchanged = outcomes[$0.index] { true } else { false } }
        try store.confirmChanges(
            of: unchanged.map(\.identity),
            numbers: unchanged.compactMap(\.assignments.number?.identity),
            emails: unchanged.compactMap(\.assignments.email?.identity)
        )
        return outcomes
    }

    func candidate(_ imported: ImportedAccount, _ index: Int) throws(AccountRefusal) -> ImportCandidate {
        try imported.change.check(at: now)
        guard AccountID.isLegal(imported.uid) else { throw .uidInvalid }
        if case .set(let text) = imported.change.password {
            do { _ = try Password.new(text) } catch { throw .credential(error) }
        }
        // Keyed, because Redis stores this in clear with the account: its value must not allow offline guesses of what
        // the account holds.
        let digest = keys.lookups("import", .text(project.id), .bytes(imported.source)).prefix(12)
        let account = AccountIdentity(project: project.id, uid: imported.uid, among: store.shards)
        return ImportCandidate(
            index: index,
            imported: imported,
            identity: account,
            assignments: try assignments(of: imported.change, to: account),
            secondFactors: try secondFactorAssignments(of: imported.change),
            requestID: "import/" + Base64URL.string(digest)
        )
    }

    /// Looks up the existing accounts and claims of all candidates.
    private func lookUp(_ candidates: inout [ImportCandidate]) throws(StoreUnavailable) {
        let records = try store.accounts(candidates.map(\.identity))
        for (index, record) in records.enumerated() { candidates[index].found = record }
        let numbers = candidates.indices.filter { candidates[$0].assignments.number != nil }
        let numberClaims = try store.claims(of: numbers.compactMap { candidates[$0].assignments.number?.identity })
        let emails = candidates.indices.filter { candidates[$0].assignments.email != nil }
        let emailClaims = try store.claims(of: emails.compactMap { candidates[$0].assignments.email?.identity })
        for case (let index, let claim?) in zip(numbers + emails, numberClaims + emailClaims) {
            candidates[index].claims.append(claim)
        }
    }

    /// Returns whether the account that was found has everything that the import gives it.
    func isDone(_ candidate: ImportCandidate) -> Bool {
        guard let record = candidate.found else { return false }
        let password = record.sealedPassword.flatMap { storedPassword($0, of: candidate.identity) }
        return candidate.imported.change.isDone(
            in: Account(candidate.identity, record, keys),
            password,
            candidate.assignments
        ) && candidate.secondFactors.map { has($0, record.secondFactors, of: candidate.identity) } ?? true
    }

    private func dryRun(
        _ candidate: ImportCandidate,
        _ existing: ExistingAccounts
    ) throws(StoreUnavailable) -> ImportOutcome {
        do {
            if candidate.found != nil, existing != .overwrite { return existing == .keep ? .kept : .refused(.uidTaken) }
            try refuseTaken(candidate.assignments, for: candidate.identity)
            try checkSecondFactors(of: candidate)
            return candidate.found == nil ? .created : .overwritten
        } catch {
            return try .refusal(error)
        }
    }

    private func checkSecondFactors(of candidate: ImportCandidate) throws(AccountRefusal) {
        guard let secondFactors = candidate.secondFactors else { return }
        var update = AccountUpdate()
        let present = candidate.found?.secondFactors ?? []
        try assign(secondFactors, to: candidate.identity, having: present, by: &update)
    }
}
