internal import Redis

/// One identity under the hashes of two index keys.
public struct MovedIdentity<Subject: IdentifierSubject>: Sendable {
    let former: HashedIdentity<Subject>
    let next: HashedIdentity<Subject>

    /// Pairs an identity's hash under the old index key with its hash under the new one.
    public init(from former: HashedIdentity<Subject>, to next: HashedIdentity<Subject>) {
        self.former = former
        self.next = next
    }
}

/// The steps of a move between index keys. A step replaces only what the caller has read (compare and set), so a
/// stalled process does no harm if it resumes after another process continued the move. The keys must be on one Redis.
extension Store {
    /// Copies the claims of identities from one index key to another.
    ///
    /// Claims are copied unchanged: whether a claim is void is checked when it is used.
    /// - Returns: whether all were copied; false if an identity has another claim under the new key.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func copyClaims<Subject>(_ identities: [MovedIdentity<Subject>]) throws(StoreUnavailable) -> Bool {
        guard !identities.isEmpty else { return true }
        var copies: [(identifier: HashedIdentity<Subject>, claim: IdentifierClaim)] = []
        for (identity, claim) in zip(identities, try claims(of: identities.map(\.former))) {
            if let claim { copies.append((identity.next, claim)) }
        }
        return try claimIdentifiers(copies) == copies.map(\.claim)
    }

    /// Copies the rate limits' counters of identities, with their TTLs, unless there is a counter under the new key
    /// already.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
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

    /// Replaces the number hashes of phones that are second factors by those under another index key.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func replaceNumberHashes(
        of phones: [(account: AccountIdentity, factor: SecondFactorRecord, stored: [UInt8], number: PhoneIdentity)]
    ) throws(StoreUnavailable) {
        let calls = phones.map { account, factor, stored, number in
            let new = SecondFactorRecord(factor, number: number)
            return ScriptCall(
                replacing: (factor.field, stored),
                by: (factor.field, new.value),
                in: KeyNames.user(account)
            )
        }
        _ = try run(calls)
    }

    /// Replaces a test number's hash by another.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func replaceTestNumber(
        _ former: (hash: String, sealed: [UInt8]),
        by new: (hash: String, sealed: [UInt8]),
        of project: String
    ) throws(StoreUnavailable) {
        _ = try run(ScriptCall(replacing: former, by: new, in: KeyNames.testNumbers(project)))
    }

    /// Returns the ids of all projects that have test numbers, whether the settings name them or not.
    /// - Throws: ``StoreUnavailable``.
    public func projectsWithTestNumbers() throws(StoreUnavailable) -> [String] {
        try projects(ofKeysWithPrefix: KeyNames.testNumbers(""))
    }

    /// Returns the ids of all projects whose ledgers name series, whether the settings name them or not.
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

    /// Returns the hashes of a project's series in the ledger, each with the series' digits, sealed.
    /// - Throws: ``StoreUnavailable``.
    public func seriesNames(of project: String) throws(StoreUnavailable) -> [String: [UInt8]] {
        try send("HGETALL", KeyNames.seriesNames(project)).fields(from: 0).dictionary
    }

    /// Copies a series' debt to its hash under another index key, unless that already has a count. The ledger of past
    /// days keeps the former hash.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func copySeries(
        from former: String,
        to next: String,
        sealed: [UInt8],
        of project: String
    ) throws(StoreUnavailable) {
        try copy([(KeyNames.range(.series, project, former), KeyNames.range(.series, project, next))])
        let names = KeyNames.seriesNames(project)
        _ = try run(ScriptCall(replacing: (former, sealed), by: (next, sealed), in: names, keepsFormer: true))
    }

    /// Returns the removal of all verification sessions: their ids contain the shard of the number's former hash.
    public func removalOfSessions() -> KeyRemoval { KeyRemoval(self, [KeyNames.anySession]) { _ in true } }

    /// Returns the removal of all claims that are not under an index key.
    public func removalOfClaims(notUnder id: UInt8) -> KeyRemoval {
        KeyRemoval(self, IdentifierKind.allCases.map(KeyNames.anyIdentifier)) { key in
            key.split(separator: ":").last.map { IndexKeyHash.id(of: $0) != id } ?? false
        }
    }
}

extension ScriptCall {
    fileprivate init(
        replacing former: (String, [UInt8]),
        by new: (String, [UInt8]),
        in hashKey: String,
        keepsFormer: Bool = false
    ) {
        self.init(
            .replaceField,
            keys: ["hashKey": hashKey],
            [
                "field": .text(former.0),
                "value": .bytes(former.1),
                "newField": .text(new.0),
                "newValue": .bytes(new.1),
                "keeps": .flag(keepsFormer),
            ]
        )
    }
}

/// Iterates over keys and removes some of them.
public struct KeyRemoval {
    private let store: Store
    private var scans: [KeyScan]
    private let isRemoved: (String) -> Bool

    init(_ store: Store, _ patterns: [String], isRemoved: @escaping (String) -> Bool) {
        self.store = store
        self.isRemoved = isRemoved
        scans = patterns.map { KeyScan(store, $0) }
    }

    /// Removes the next keys.
    /// - Returns: how many were removed; nil at the end.
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
