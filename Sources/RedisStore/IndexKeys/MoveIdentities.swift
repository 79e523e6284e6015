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
/// stalled process does no harm if it resumes after another process continued the move.
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
        // Not confirmed: a replica that lags would prolong the pause of the move.
        return try claimIdentifiers(copies, isConfirmed: false) == copies.map(\.claim)
    }

    /// Copies the rate-limit counters of identities, with their TTLs. What the new key has already counted is kept.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func copyCounters<Subject>(_ identities: [MovedIdentity<Subject>]) throws(StoreUnavailable) {
        let counters = identities.flatMap { identity in
            zip(KeyNames.counters(of: identity.former), KeyNames.counters(of: identity.next)).map {
                (former: $0, copyKey: $1.key)
            }
        }
        let replies = try read(
            counters.flatMap { former, _ -> [StoreRead] in
                [
                    ("PTTL", [former.key]),
                    former.isHash ? ("HGETALL", [former.key]) : ("ZRANGE", [former.key, "0", "-1", "WITHSCORES"]),
                ]
            }
        )
        var copies: [ScriptCall] = []
        for (index, counter) in counters.enumerated() {
            let (life, values) = (try replies[2 * index].integer(), try replies[2 * index + 1].texts())
            guard life > 0 else { continue }
            for start in stride(from: 0, to: values.count, by: Self.valuesPerCopy) {
                copies.append(
                    ScriptCall(
                        .copyCounter,
                        keys: ["copyKey": counter.copyKey],
                        NamedValues(
                            ["isHash": .flag(counter.former.isHash), "life": .integer(life)],
                            list: "values",
                            values[start..<min(start + Self.valuesPerCopy, values.count)].map { .text($0) }
                        )
                    )
                )
            }
        }
        _ = try run(copies)
    }

    /// How many values a call copies: an even number, because they are pairs. Lua's stack has room for about 8000.
    private static let valuesPerCopy = 2000

    /// Replaces the number hashes of phones that are second factors with their hashes under another index key.
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

    /// Replaces a test number's hash with another.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func replaceTestNumber(
        _ former: (hash: String, sealed: [UInt8]),
        by new: (hash: String, sealed: [UInt8]),
        of project: String
    ) throws(StoreUnavailable) {
        _ = try run(ScriptCall(replacing: former, by: new, in: KeyNames.testNumbers(project)))
    }

    /// Returns the ids of all projects that have test numbers, even if the settings no longer name them.
    /// - Throws: ``StoreUnavailable``.
    public func projectsWithTestNumbers() throws(StoreUnavailable) -> [String] {
        try projects(ofKeysMatching: KeyNames.testNumbers("*"))
    }

    /// Returns the ids of all projects whose ledgers name series, even if the settings no longer name them.
    /// - Throws: ``StoreUnavailable``.
    public func projectsWithSeries() throws(StoreUnavailable) -> [String] {
        try projects(ofKeysMatching: KeyNames.anySeriesNames)
    }

    /// Returns the projects whose ids are the last part of these keys.
    private func projects(ofKeysMatching pattern: String) throws(StoreUnavailable) -> [String] {
        var scan = KeyScan(self, pattern)
        var projects: Set<String> = []
        while let keys = try scan.next() {
            projects.formUnion(keys.compactMap { $0.split(separator: ":", maxSplits: 3).last.map(String.init) })
        }
        return projects.sorted()
    }

    /// Copies a series' debt to its hash under another index key, unless that already has a count. The ledger of past
    /// days keeps the former hash.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func copySeries(
        from former: String,
        to next: String,
        sealed: [UInt8],
        of project: String,
        now: Int64,
        lifeMilliseconds: Int64
    ) throws(StoreUnavailable) {
        let (range, copy) = (NumberRange.series(former, of: project), NumberRange.series(next, of: project))
        try copyCounts(of: range, to: copy)
        let ranges = NumberRanges(project: project, region: "", series: next, block: "")
        let name = LedgerCounts(sealedSeries: sealed)
        _ = try run(ledgerCall(ranges, "", name, now: now, lifeMilliseconds: lifeMilliseconds))
    }

    /// Copies the counts of a series. The copy may get counts concurrently.
    private func copyCounts(of range: NumberRange, to copy: NumberRange) throws(StoreUnavailable) {
        let stored = try read([("PTTL", [key(of: range)]), read(of: range)])
        let life = try stored[0].integer()
        guard life > 0, !stored[1].isNull, let field = copy.field else { return }
        _ = try send("HSETNX", key(of: copy), field, try stored[1].text())
        if try send("PTTL", key(of: copy)).integer() < 0 { _ = try send("PEXPIRE", key(of: copy), String(life)) }
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
        in hashKey: String
    ) {
        self.init(
            .replaceField,
            keys: ["hashKey": hashKey],
            [
                "field": .text(former.0),
                "value": .bytes(former.1),
                "newField": .text(new.0),
                "newValue": .bytes(new.1),
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
            _ = try store.sendAll("DEL", KeyNames.bySlot(removed))
            return removed.count
        }
        return nil
    }
}
