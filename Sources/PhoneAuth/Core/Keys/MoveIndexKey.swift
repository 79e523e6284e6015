internal import Encodings
public import RedisStore
internal import Threads

/// A completed step of a move between index keys.
public enum IndexKeyMoveStep: Sendable, Equatable {
    /// Removed the claims that an earlier move left under other keys.
    case removedLeftovers
    /// Read a number of accounts, and opened all of their sealed identifiers.
    case checked(accounts: Int)
    /// Requests that need an identifier are rejected from now on.
    case paused(from: UInt8, to: UInt8)
    /// Waited for requests from before the pause to end.
    case waited
    /// Removed the verification sessions.
    case endedSessions
    /// A number of accounts have their claims under the new key's hashes.
    case moved(accounts: Int)
    /// Test numbers and the toll-fraud debts of number series are under the new key's hashes.
    case movedSettings
    /// Requests are served again, under this key.
    case inForce(UInt8)
    /// Removed the claims under other keys.
    case removedFormer
}

/// Why a move between index keys stopped. It may be run again, or undone by a move back to the former key.
public enum IndexKeyMoveFailure: Error, Equatable {
    /// The key file has no such index key.
    case keyUnknown(UInt8)
    /// The key file lacks the key from which claims are to be moved.
    case formerKeyMissing(UInt8)
    /// Another move is in progress: finish or undo it first.
    case otherMove(from: UInt8, to: UInt8)
    /// Another process is moving, or died a moment ago while it held the lock.
    case busy
    /// Another process, an operator or a replaced Redis changed state on which this move relies.
    case overtaken
    /// An identifier or number of the account cannot be opened, so its claims cannot be moved.
    case accountUnreadable(project: String, uid: String)
    /// An identifier has another claim under the new key.
    case claimDiffers
    case unavailable(StoreUnavailable)
}

/// Moves the claims of all accounts from the hashes of one index key to those of another.
///
/// Identifiers must never be looked up under two keys at the same time, or one number would get two accounts. So there
/// is a pause. Redis states that claims are being moved, all workers reject requests that need identifiers, and the
/// move waits until no earlier request can be in progress. Then it copies the claims, and Redis states in one atomic
/// step that the new key is in force. The former claims stay until then, so each step is idempotent and the move can be
/// undone.
///
/// ```swift
/// var move = authenticator.moveIndexKey(to: nil, pause: IndexKeyMove.pause(forWorkOf: .seconds(12)))
/// defer { move.release() }
/// while let step = try move.next() { print(step) }
/// ```
public struct IndexKeyMove {
    /// The maximum time that a command may work after it has verified which index key is current.
    public static let longestCommand: Duration = .seconds(10)

    private enum Phase {
        case beginning
        case removingLeftovers(KeyRemoval)
        case checking(IndexedAccounts, count: Int)
        case pausing
        case waiting(ContinuousClock.Instant)
        case endingSessions(KeyRemoval)
        case movingAccounts(IndexedAccounts, count: Int)
        case movingSettings
        case switching
        case removingFormer(KeyRemoval)
        case over
    }

    /// The TTL of the move's lock, which expires if its process dies. Long steps renew it: ``holding(_:_:)``. If one
    /// takes longer nevertheless, because Redis has very many keys, another move may begin, and this one then stops.
    private static let lockLifetime: Duration = .seconds(15)

    private let authenticator: Authenticator
    private let requested: UInt8?
    private let pause: Duration
    private let holder: String
    private var phase = Phase.beginning
    /// The state in Redis, unless another process changes it.
    private var state = IndexKeyState.first
    private var formerID: UInt8 = 0
    private var nextID: UInt8 = 0
    private var serverRunID: String?

    fileprivate init(_ authenticator: Authenticator, to requested: UInt8?, pause: Duration) {
        self.authenticator = authenticator
        self.requested = requested
        self.pause = pause
        holder = Base64URL.string(authenticator.environment.randomBytes(12))
    }

    /// Returns how long a move must pause before it copies, if each request or batch of work ends within `duration`
    /// after it has checked which key is in force.
    public static func pause(forWorkOf duration: Duration) -> Duration {
        StoreCaches.maximumAge + duration + .seconds(2)
    }

    /// Releases the lock, so that another process can continue at once.
    public func release() {
        authenticator.bestEffort("release the index-key move", try authenticator.store.releaseIndexKeyMove(holder))
    }

    /// Performs the next step.
    /// - Returns: the completed step; nil if nothing is left to do.
    /// - Throws: ``IndexKeyMoveFailure``. Completed steps stay done.
    public mutating func next() throws(IndexKeyMoveFailure) -> IndexKeyMoveStep? {
        do {
            while true {
                if case .over = phase { return nil }
                try hold()
                if let step = try advance() { return step }
            }
        } catch {
            // A step throws only failures of the move and of the store.
            if let failure = error as? IndexKeyMoveFailure { throw failure }
            throw .unavailable(error as? StoreUnavailable ?? .unexpectedReply)
        }
    }

    /// Verifies that this process holds the lock and that the state is unchanged.
    private func hold() throws {
        let milliseconds = Self.lockLifetime.milliseconds
        let isHeld = try store.holdIndexKeyMove(holder, milliseconds: milliseconds)
        if case .beginning = phase {
            guard isHeld else { throw IndexKeyMoveFailure.busy }
        } else {
            guard isHeld, try store.indexKeyState() == state else { throw IndexKeyMoveFailure.overtaken }
        }
    }

    /// Works on each element, and renews the lock before every hundred of them.
    private func holding<Element>(_ elements: some Sequence<Element>, _ work: (Element) throws -> Void) throws {
        for (index, element) in elements.enumerated() {
            if index.isMultiple(of: 100) { try hold() }
            try work(element)
        }
    }

    private mutating func advance() throws -> IndexKeyMoveStep? {
        switch phase {
        case .beginning: return try begin()
        case .removingLeftovers(var removal):
            let isOver = try removal.next() == nil
            phase = .removingLeftovers(removal)
            guard isOver else { return nil }
            phase = formerID == nextID ? .over : .checking(store.indexedAccounts(), count: 0)
            return .removedLeftovers
        case .checking(var accounts, let count):
            if let page = try accounts.next() {
                for account in page { _ = try open(account) }
                phase = .checking(accounts, count: count + page.count)
                return nil
            }
            phase = .pausing
            return .checked(accounts: count)
        case .pausing:
            try enter(.moving(from: formerID, to: nextID))
            serverRunID = try store.serverRunID()
            phase = .waiting(.now + pause)
            return .paused(from: formerID, to: nextID)
        case .waiting(let end):
            if ContinuousClock.now < end {
                ActiveThreads.sleep(for: min(.seconds(1), end - .now))
                return nil
            }
            // Undoing a move does not change the shards of sessions.
            let isUndone = formerID == nextID
            phase =
                isUndone
                ? .movingAccounts(store.indexedAccounts(), count: 0) : .endingSessions(store.removalOfSessions())
            return .waited
        case .endingSessions(var removal):
            let isOver = try removal.next() == nil
            phase = isOver ? .movingAccounts(store.indexedAccounts(), count: 0) : .endingSessions(removal)
            return isOver ? .endedSessions : nil
        case .movingAccounts(var accounts, let count):
            guard let page = try accounts.next() else {
                phase = .movingSettings
                return nil
            }
            try move(page)
            phase = .movingAccounts(accounts, count: count + page.count)
            return page.isEmpty ? nil : .moved(accounts: count + page.count)
        case .movingSettings:
            try moveTestNumbers()
            try moveSeries()
            phase = .switching
            return .movedSettings
        case .switching:
            // A Redis that was restarted, or replaced by its replica, may have lost the last copied claims.
            guard try store.serverRunID() == serverRunID else { throw IndexKeyMoveFailure.overtaken }
            try enter(.inForce(nextID))
            phase = .removingFormer(store.removalOfClaims(notUnder: nextID))
            return .inForce(nextID)
        case .removingFormer(var removal):
            let isOver = try removal.next() == nil
            phase = .removingFormer(removal)
            guard isOver else { return nil }
            try removeFormerSeries()
            phase = .over
            return .removedFormer
        case .over: return nil
        }
    }

    private mutating func begin() throws -> IndexKeyMoveStep? {
        state = try store.indexKeyState()
        switch state {
        case .inForce(let id):
            (formerID, nextID) = (id, requested ?? keys.indexKeyIDs.max() ?? id)
            guard keys.indexKeyIDs.contains(nextID) else { throw IndexKeyMoveFailure.keyUnknown(nextID) }
            try store.recordIndexKey(nextID)
            phase = .removingLeftovers(store.removalOfClaims(notUnder: id))
            return nil
        case .moving(let from, let to):
            (formerID, nextID) = (from, requested ?? to)
            guard nextID == to || nextID == from else { throw IndexKeyMoveFailure.otherMove(from: from, to: to) }
            for id in [formerID, nextID] where !keys.indexKeyIDs.contains(id) {
                throw id == nextID ? IndexKeyMoveFailure.keyUnknown(id) : .formerKeyMissing(id)
            }
            // The process that began the move may have died before all earlier requests had ended, so the pause starts
            // over.
            phase = .pausing
            return nil
        }
    }

    private mutating func enter(_ new: IndexKeyState) throws {
        guard try store.replaceIndexKeyState(state, by: new) else { throw IndexKeyMoveFailure.overtaken }
        state = new
    }
}

// MARK: What is moved

extension IndexKeyMove {
    private var store: Store { authenticator.store }
    private var keys: ServerKeys { authenticator.keys }

    /// The opened identifiers and numbers of an account.
    private struct OpenedAccount {
        var numbers: [String] = []
        var emails: [String] = []
        /// The numbers of its second factors, in their order.
        var factorNumbers: [String] = []
    }

    private func open(_ account: IndexedAccount) throws(IndexKeyMoveFailure) -> OpenedAccount {
        guard keys.indexKeyIDs.contains(formerID) else { throw .formerKeyMissing(formerID) }
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

    private func move(_ accounts: [IndexedAccount]) throws {
        guard let from = keys.indexKeys.first(where: { $0.id == formerID }) else {
            throw IndexKeyMoveFailure.formerKeyMissing(formerID)
        }
        let to = try nextKey()
        var numbers: [MovedIdentity<IdentitySubject.PhoneNumber>] = []
        var emails: [MovedIdentity<IdentitySubject.EmailAddress>] = []
        var factorNumbers: [MovedIdentity<IdentitySubject.PhoneNumber>] = []
        var factors: [(account: AccountIdentity, factor: SecondFactorRecord, stored: [UInt8], number: PhoneIdentity)] =
            []
        for account in accounts {
            let opened = try open(account)
            let project = account.identity.project
            func phone(_ number: String, _ key: IndexKey) -> PhoneIdentity {
                PhoneIdentity(number, in: project, under: key, among: store.shards)
            }
            func email(_ email: String, _ key: IndexKey) -> EmailIdentity {
                EmailIdentity(email, in: project, under: key, among: store.shards)
            }
            numbers += opened.numbers.map { MovedIdentity(from: phone($0, from), to: phone($0, to)) }
            emails += opened.emails.map { MovedIdentity(from: email($0, from), to: email($0, to)) }
            factorNumbers += opened.factorNumbers.map { MovedIdentity(from: phone($0, from), to: phone($0, to)) }
            for ((factor, stored), number) in zip(account.phones, opened.factorNumbers) {
                let number = phone(number, to)
                if factor.numberHash != number.hash { factors.append((account.identity, factor, stored, number)) }
            }
        }
        if from.id != to.id {
            guard try store.copyClaims(numbers), try store.copyClaims(emails) else {
                throw IndexKeyMoveFailure.claimDiffers
            }
            try store.copyCounters(numbers + factorNumbers)
            try store.copyCounters(emails)
        }
        try store.replaceNumberHashes(of: factors)
    }

    private func moveTestNumbers() throws {
        let key = try nextKey()
        for project in try store.projectsWithTestNumbers() {
            try holding(store.testNumbers(of: project)) { hash, sealed in
                guard let (number, code) = authenticator.openTestNumber(hash, sealed, in: project) else { return }
                let identity = PhoneIdentity(number, in: project, under: key, among: store.shards)
                guard identity.hash != hash else { return }
                let new: (hash: String, sealed: [UInt8])
                do {
                    new = try authenticator.sealedTestNumber(number, code, as: identity)
                } catch {
                    throw IndexKeyMoveFailure.unavailable(.unexpectedReply)
                }
                try store.replaceTestNumber((hash, sealed), by: new, of: project)
            }
        }
    }

    /// Copies the toll-fraud debts of number series. Series without a stored name start at zero, and so do blocks:
    /// their digits are unknown.
    private func moveSeries() throws {
        guard formerID != nextID else { return }
        let key = try nextKey()
        for project in try store.projectsWithSeries() {
            try holding(store.seriesNames(of: project)) { hash, sealed in
                guard let prefix = RangePrefix(sealed: sealed, in: project, keys) else { return }
                let new = prefix.hash(in: project, under: key)
                guard new != hash else { return }
                try store.copySeries(
                    from: hash,
                    to: new,
                    sealed: sealed,
                    of: project,
                    now: authenticator.environment.now().milliseconds,
                    lifeMilliseconds: TollFraudPolicy.ledgerLife.milliseconds
                )
            }
        }
    }

    private func removeFormerSeries() throws {
        let key = try nextKey()
        for project in try store.projectsWithSeries() {
            try holding(store.seriesNames(of: project)) { hash, sealed in
                guard let prefix = RangePrefix(sealed: sealed, in: project, keys),
                    prefix.hash(in: project, under: key) != hash
                else { return }
                _ = try store.forgetRange(.series(hash, of: project))
            }
        }
    }

    private func nextKey() throws(IndexKeyMoveFailure) -> IndexKey {
        guard let key = keys.indexKeys.first(where: { $0.id == nextID }) else { throw .keyUnknown(nextID) }
        return key
    }
}

extension Authenticator {
    /// Returns a move of all claims to another index key. If `id` is nil, the move is to the target of a move in
    /// progress, or else to the key file's newest key. A move in progress is undone by a move back to its former key.
    ///
    /// `pause` is ``IndexKeyMove/pause(forWorkOf:)`` of the longest work of any process of the deployment.
    public func moveIndexKey(to id: UInt8?, pause: Duration) -> IndexKeyMove {
        IndexKeyMove(self, to: id, pause: pause)
    }

    /// Returns which index key is in force.
    /// - Throws: ``StoreUnavailable``.
    public func indexKeyState() throws(StoreUnavailable) -> IndexKeyState { try store.indexKeyState() }

    /// Prepares the removal of an index key from the key file: a later key may get its id.
    /// - Throws: ``StoreUnavailable``.
    public func forgetIndexKey(_ id: UInt8) throws(StoreUnavailable) { try store.forgetIndexKey(id) }

    /// Returns the number of accounts with unused recovery codes that were made under an index key. Removing that key
    /// invalidates the codes.
    /// - Throws: ``StoreUnavailable``.
    public func accountsWithRecoveryCodes(under id: UInt8) throws(StoreUnavailable) -> Int {
        var accounts = store.indexedAccounts()
        var count = 0
        while let page = try accounts.next() {
            count += page.count { $0.recoveryCodes.contains { IndexKeyHash.id(of: $0) == id } }
        }
        return count
    }
}
