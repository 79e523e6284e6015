internal import Redis

/// One identity under the hashes of two index keys.
public struct MovedIdentity<Subject: IdentifierSubject>: Sendable {
    let former: HashedIdentity<Subject>
    let next: HashedIdentity<Subject>

    /// An identity under the key that claims are moved from, and under the key that they are moved to.
    public init(from former: HashedIdentity<Subject>, to next: HashedIdentity<Subject>) {
        self.former = former
        self.next = next
    }
}

/// The steps of a move between index keys. None replaces anything but what the caller has read, so that a process that
/// stood still while the move went on elsewhere does no harm afterwards. They read and write the keys of one Redis.
extension Store {
    /// Puts the claims that stand with identities under one index key to the same identities under another.
    ///
    /// They are copied as they stand: whose a claim is, and whether it is void, is left to those who look at it.
    /// - Returns: whether all could be put; false if one has another claim there.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func copyClaims<Subject>(_ identities: [MovedIdentity<Subject>]) throws(StoreUnavailable) -> Bool {
        guard !identities.isEmpty else { return true }
        var copies: [(identifier: HashedIdentity<Subject>, claim: IdentifierClaim)] = []
        for (identity, claim) in zip(identities, try claims(of: identities.map(\.former))) {
            if let claim { copies.append((identity.next, claim)) }
        }
        return try claimIdentifiers(copies) == copies.map(\.claim)
    }

    /// Copies what limits have counted for identities, with the time that is left of it, where nothing is counted under
    /// the other key yet.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func copyCounters<Subject>(_ identities: [MovedIdentity<Subject>]) throws(StoreUnavailable) {
        try copy(
            identities.flatMap { identity in
                zip(KeyNames.counters(of: identity.former), KeyNames.counters(of: identity.next)).map { ($0, $1) }
            }
        )
    }

    private func copy(_ names: [(former: String, next: String)]) throws(StoreUnavailable) {
        guard !names.isEmpty else { return }
        _ = try sendAll("COPY", names.map { [$0.former, $0.next] })
    }

    /// Gives phones that are second factors the hashes of their numbers under another index key.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func replaceNumberHashes(
        of phones: [(account: AccountIdentity, factor: SecondFactorRecord, stored: [UInt8], number: PhoneIdentity)]
    ) throws(StoreUnavailable) {
        let calls = phones.map { account, factor, stored, number in
            let new = SecondFactorRecord(factor, number: number)
            return ScriptCall(
                keys: [KeyNames.user(account)],
                arguments: [.text(factor.field), .bytes(stored), .text(factor.field), .bytes(new.value)]
            )
        }
        _ = try run(Scripts.replaceField, calls)
    }

    /// Puts a test number under another hash in place of one.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func replaceTestNumber(
        _ former: (hash: String, sealed: [UInt8]),
        by new: (hash: String, sealed: [UInt8]),
        of project: String
    ) throws(StoreUnavailable) {
        _ = try run(
            Scripts.replaceField,
            keys: [KeyNames.testNumbers(project)],
            [.text(former.hash), .bytes(former.sealed), .text(new.hash), .bytes(new.sealed)]
        )
    }

    /// The ids of all projects that have test numbers, whether settings name them or not.
    /// - Throws: ``StoreUnavailable``.
    public func projectsWithTestNumbers() throws(StoreUnavailable) -> [String] {
        try projects(ofKeysWithPrefix: KeyNames.testNumbers(""))
    }

    /// The ids of all projects whose ledgers name series, whether settings name them or not.
    /// - Throws: ``StoreUnavailable``.
    public func projectsWithSeries() throws(StoreUnavailable) -> [String] {
        try projects(ofKeysWithPrefix: KeyNames.seriesNames(""))
    }

    private func projects(ofKeysWithPrefix prefix: String) throws(StoreUnavailable) -> [String] {
        var scan = KeyScan(self, prefix + "*")
        var projects: Set<String> = []
        while let keys = try scan.next() { projects.formUnion(keys.map { String($0.dropFirst(prefix.count)) }) }
        return projects.sorted()
    }

    /// The hashes of a project's series in the ledger, each with the series' digits, sealed.
    /// - Throws: ``StoreUnavailable``.
    public func seriesNames(of project: String) throws(StoreUnavailable) -> [String: [UInt8]] {
        try send("HGETALL", KeyNames.seriesNames(project)).fields(from: 0).dictionary
    }

    /// Copies what a series owes to its hash under another index key, where nothing is counted under that yet. The
    /// ledger of the days before keeps the former hash.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func copySeries(
        from former: String,
        to next: String,
        sealed: [UInt8],
        of project: String
    ) throws(StoreUnavailable) {
        try copy([(KeyNames.range(.series, project, former), KeyNames.range(.series, project, next))])
        _ = try run(
            Scripts.replaceField,
            keys: [KeyNames.seriesNames(project)],
            [.text(former), .bytes(sealed), .text(next), .bytes(sealed), .text("keep")]
        )
    }

    /// Removes all verification sessions: their ids choose the shard of the number's former hash.
    public func removalOfSessions() -> KeyRemoval { KeyRemoval(self, [KeyNames.anySession]) { _ in true } }

    /// Removes all claims that are not under an index key.
    public func removalOfClaims(notUnder id: UInt8) -> KeyRemoval {
        KeyRemoval(self, IdentifierKind.allCases.map(KeyNames.anyIdentifier)) { key in
            key.split(separator: ":").last.map { IndexKeyHash.id(of: $0) != id } ?? false
        }
    }
}

/// Goes through keys and removes some of them.
public struct KeyRemoval {
    private let store: Store
    private var scans: [KeyScan]
    private let isRemoved: (String) -> Bool

    init(_ store: Store, _ patterns: [String], isRemoved: @escaping (String) -> Bool) {
        self.store = store
        self.isRemoved = isRemoved
        scans = patterns.map { KeyScan(store, $0) }
    }

    /// Removes the next ones.
    /// - Returns: how many; nil at the end.
    /// - Throws: ``StoreUnavailable``.
    public mutating func next() throws(StoreUnavailable) -> Int? {
        while !scans.isEmpty {
            guard let keys = try scans[0].next() else {
                scans.removeFirst()
                continue
            }
            let removed = keys.filter(isRemoved)
            if !removed.isEmpty { _ = try store.send("DEL", removed) }
            return removed.count
        }
        return nil
    }
}
