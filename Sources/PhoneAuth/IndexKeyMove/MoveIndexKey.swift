public import RedisScripts

/// Why a move between index keys stopped.
public enum IndexKeyMoveFailure: Equatable, StoreRefusal {
    /// Other processes of Dialtone are connected to Redis, from these addresses.
    case notAlone([String])
    /// The key file lacks an index key that the move needs.
    case keyMissing(UInt8)
    /// Redis was restarted or replaced, and may have lost what was copied last.
    case redisReplaced
    /// An identifier or number of the account cannot be opened, so its claims cannot be moved.
    case accountUnreadable(project: String, uid: String)
    /// An identifier has another claim under the new key.
    case claimDiffers
    case unavailable(StoreUnavailable)
}

extension Authenticator {
    /// Returns which index key is in force.
    /// - Throws: ``StoreUnavailable``.
    public func indexKeyState() throws(StoreUnavailable) -> IndexKeyState {
        store.needsIndexKey = false
        return try store.indexKeyState()
    }

    /// Moves the claims of all accounts, and what is counted and remembered for their identifiers, to the hashes of the
    /// key file's newest index key. Completes a move that was interrupted.
    ///
    /// If identifiers were looked up under two keys at the same time, one number would get two accounts. So no worker
    /// and no dispatcher may run: none may be connected at the beginning, and until the move is complete, Redis states
    /// that it is not, on which each process that connects refuses to serve. The former claims stay until the new key
    /// is in force, so an interrupted move loses nothing.
    ///
    /// The authenticator must not be used for anything else. `report` is called after each step, with the number of
    /// accounts moved so far.
    /// - Returns: the id of the key that is in force.
    /// - Throws: ``IndexKeyMoveFailure``.
    public func moveIndexKey(
        _ report: (_ accounts: Int) throws(IndexKeyMoveFailure) -> Void = { _ throws(IndexKeyMoveFailure) in }
    ) throws(IndexKeyMoveFailure) -> UInt8 {
        try requireNoOthers()
        let state = try IndexKeyMoveFailure.wrapping(indexKeyState())
        let move = IndexKeyMove(
            authenticator: self,
            from: try indexKey(state.id),
            to: try indexKey(state.next ?? keys.indexKeyIDs.max() ?? state.id)
        )
        if state.next == nil {
            // An earlier move may have failed, or may not have removed all former entries.
            try IndexKeyMoveFailure.wrapping(store.removeIdentities(notUnder: state.id))
            try IndexKeyMoveFailure.wrapping(move.removeSeries(notUnder: move.from))
            guard move.to.id != state.id else { return state.id }
            try move.checkAll()
            try IndexKeyMoveFailure.wrapping(store.recordIndexKey(move.to.id))
            try set(IndexKeyState(id: state.id, next: move.to.id))
            // A process that connects from now on refuses to serve. One may have connected a moment ago.
            do {
                try requireNoOthers()
            } catch {
                try set(IndexKeyState(id: state.id))
                throw error
            }
        }
        try report(0)
        try move.copyAll(report)
        try set(IndexKeyState(id: move.to.id))
        try IndexKeyMoveFailure.wrapping(store.removeIdentities(notUnder: move.to.id))
        try IndexKeyMoveFailure.wrapping(move.removeSeries(notUnder: move.to))
        return move.to.id
    }

    private func requireNoOthers() throws(IndexKeyMoveFailure) {
        store.needsIndexKey = false
        let others = try IndexKeyMoveFailure.wrapping(store.otherClients())
        guard others.isEmpty else { throw .notAlone(others) }
    }

    private func indexKey(_ id: UInt8) throws(IndexKeyMoveFailure) -> IndexKey {
        guard let key = keys.indexKeys.first(where: { $0.id == id }) else { throw .keyMissing(id) }
        return key
    }

    private func set(_ state: IndexKeyState) throws(IndexKeyMoveFailure) {
        try IndexKeyMoveFailure.wrapping(store.setIndexKeyState(state))
    }
}

/// What a move copies from the hashes of one index key to those of another.
private struct IndexKeyMove {
    let authenticator: Authenticator
    let from: IndexKey
    let to: IndexKey

    private var store: Store { authenticator.store }
    private var keys: ServerKeys { authenticator.keys }

    /// The opened identifiers and numbers of an account.
    private struct OpenedAccount {
        var numbers: [String] = []
        var emails: [String] = []
        /// The numbers of its second factors, in their order.
        var factorNumbers: [String] = []
    }

    /// Opens the identifiers of all accounts, because a move that cannot open one could not be completed.
    func checkAll() throws(IndexKeyMoveFailure) {
        var accounts = store.indexedAccounts()
        while let page = try IndexKeyMoveFailure.wrapping(accounts.next()) {
            for account in page { _ = try open(account) }
        }
    }

    func copyAll(_ report: (_ accounts: Int) throws(IndexKeyMoveFailure) -> Void) throws(IndexKeyMoveFailure) {
        let runID = try IndexKeyMoveFailure.wrapping(store.serverRunID())
        try IndexKeyMoveFailure.wrapping(store.removeSessions())
        try report(0)
        var (accounts, count) = (store.indexedAccounts(), 0)
        while let page = try IndexKeyMoveFailure.wrapping(accounts.next()) {
            guard !page.isEmpty else { continue }
            try copy(page)
            count += page.count
            try report(count)
        }
        try copyTestNumbers()
        try report(count)
        try IndexKeyMoveFailure.wrapping(copySeries())
        try IndexKeyMoveFailure.wrapping(store.confirmCopies())
        guard try IndexKeyMoveFailure.wrapping(store.serverRunID()) == runID else { throw .redisReplaced }
        try report(count)
    }

    private func open(_ account: IndexedAccount) throws(IndexKeyMoveFailure) -> OpenedAccount {
        let identity = account.identity
        let unreadable = IndexKeyMoveFailure.accountUnreadable(project: identity.project, uid: identity.uid)
        var opened = OpenedAccount()
        for (kind, sealed) in account.identifiers {
            guard let text = Account.identifier(kind, sealed, of: identity, keys) else { throw unreadable }
            switch kind {
            case .phone: opened.numbers.append(text)
            case .email: opened.emails.append(text)
            }
        }
        for (factor, _) in account.phones {
            guard case .phone(let number) = SecondFactor(factor, of: identity, keys).kind, !number.isEmpty else {
                throw unreadable
            }
            opened.factorNumbers.append(number)
        }
        return opened
    }

    private func phone(_ number: String, in project: String) -> MovedIdentity<PhoneIdentity> {
        MovedIdentity(
            from: PhoneIdentity(number, in: project, under: from),
            to: PhoneIdentity(number, in: project, under: to)
        )
    }

    private func copy(_ accounts: [IndexedAccount]) throws(IndexKeyMoveFailure) {
        var numbers: [MovedIdentity<PhoneIdentity>] = []
        var emails: [MovedIdentity<EmailIdentity>] = []
        var factors: [(account: AccountIdentity, factor: SecondFactorRecord, stored: [UInt8], number: PhoneIdentity)] =
            []
        for account in accounts {
            let opened = try open(account)
            let project = account.identity.project
            numbers += (opened.numbers + opened.factorNumbers).map { phone($0, in: project) }
            emails += opened.emails.map { email in
                MovedIdentity(
                    from: EmailIdentity(email, in: project, under: from, among: store.shards),
                    to: EmailIdentity(email, in: project, under: to, among: store.shards)
                )
            }
            for ((factor, stored), number) in zip(account.phones, opened.factorNumbers) {
                let number = phone(number, in: project).next
                if factor.numberHash != number.hash { factors.append((account.identity, factor, stored, number)) }
            }
        }
        guard try IndexKeyMoveFailure.wrapping(store.copy(numbers)),
            try IndexKeyMoveFailure.wrapping(store.copy(emails))
        else { throw .claimDiffers }
        try IndexKeyMoveFailure.wrapping(store.replaceNumberHashes(of: factors))
    }

    private func copyTestNumbers() throws(IndexKeyMoveFailure) {
        for project in try IndexKeyMoveFailure.wrapping(store.projectsWithTestNumbers()) {
            for (hash, sealed) in try IndexKeyMoveFailure.wrapping(store.testNumbers(of: project)) {
                guard let (number, code) = authenticator.openTestNumber(hash, sealed, in: project) else { continue }
                let identity = phone(number, in: project)
                guard identity.next.hash != hash else { continue }
                guard try IndexKeyMoveFailure.wrapping(store.copy([identity])) else { throw .claimDiffers }
                let new: (hash: String, sealed: [UInt8])
                do {
                    new = try authenticator.sealedTestNumber(number, code, as: identity.next)
                } catch {
                    throw .unavailable(.unexpectedReply)
                }
                try IndexKeyMoveFailure.wrapping(store.replaceTestNumber((hash, sealed), by: new, of: project))
            }
        }
    }

    /// Copies the toll-fraud debts of number series. Series without a stored name start at zero, and so do blocks:
    /// their digits are unknown.
    private func copySeries() throws(StoreUnavailable) {
        try forEachSeries(notUnder: to) { hash, prefix, sealed, project throws(StoreUnavailable) in
            try store.copySeries(
                from: hash,
                to: prefix.hash(in: project, under: to),
                sealed: sealed,
                of: project
            )
        }
    }

    /// Removes the series' debts under other keys, and those of all blocks: the names of blocks do not show their key.
    func removeSeries(notUnder key: IndexKey) throws(StoreUnavailable) {
        try store.removeBlocks()
        try forEachSeries(notUnder: key) { hash, _, _, project throws(StoreUnavailable) in
            try store.removeSeries(hash, of: project)
        }
    }

    private func forEachSeries(
        notUnder key: IndexKey,
        _ work: (String, RangePrefix, [UInt8], String) throws(StoreUnavailable) -> Void
    ) throws(StoreUnavailable) {
        for project in try store.projectsWithSeries() {
            for (hash, sealed) in try store.seriesNames(of: project) {
                guard let prefix = RangePrefix(sealed: sealed, in: project, keys),
                    prefix.hash(in: project, under: key) != hash
                else { continue }
                try work(hash, prefix, sealed, project)
            }
        }
    }
}
