internal import Redis
internal import RedisScripts

/// One identity under the hashes of two index keys.
struct MovedIdentity<Identity: IdentifierIdentity>: Sendable {
    let former: Identity
    /// The identity under the new key.
    let next: Identity

    /// Pairs an identity's hash under the old index key with its hash under the new one.
    public init(from former: Identity, to next: Identity) {
        self.former = former
        self.next = next
    }
}

/// The steps of a move between index keys. No worker or dispatcher runs, so a step need not be atomic, and repeating it
/// is harmless.
extension Store {
    /// Copies the claims of identities, and what is counted and remembered for them, to their hashes under another
    /// index key.
    ///
    /// Claims are copied unchanged: whether a claim is void is checked when it is used.
    /// - Returns: whether all claims were copied; false if an identity has another claim under the new key.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func copy<Identity>(_ identities: [MovedIdentity<Identity>]) throws(StoreUnavailable) -> Bool {
        guard !identities.isEmpty else { return true }
        var copies: [(identifier: Identity, claim: IdentifierClaim)] = []
        for (identity, claim) in zip(identities, try claims(of: identities.map(\.former))) {
            if let claim { copies.append((identity.next, claim)) }
        }
        guard try claimIdentifiers(copies, isConfirmed: false) == copies.map(\.claim) else { return false }
        _ = try sendAll(
            "COPY",
            identities.flatMap { identity in
                zip(KeyNames.records(of: identity.former), KeyNames.records(of: identity.next)).map {
                    [$0, $1, "REPLACE"]
                }
            }
        )
        return true
    }

    /// Replaces the number hashes of phones that are second factors with their hashes under another index key.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func replaceNumberHashes(
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
    func replaceTestNumber(
        _ former: (hash: String, sealed: [UInt8]),
        by new: (hash: String, sealed: [UInt8]),
        of project: String
    ) throws(StoreUnavailable) {
        let call = ScriptCall(
            replacing: former,
            by: new,
            in: KeyNames.testNumbers(project)
        )
        _ = try run(call)
    }

    /// Returns the ids of all projects that have test numbers, even if the settings no longer name them.
    /// - Throws: ``StoreUnavailable``.
    func projectsWithTestNumbers() throws(StoreUnavailable) -> [String] {
        try projects(ofKeysMatching: KeyNames.testNumbers("*"))
    }

    /// Returns the ids of all projects whose ledgers name series, even if the settings no longer name them.
    /// - Throws: ``StoreUnavailable``.
    func projectsWithSeries() throws(StoreUnavailable) -> [String] {
        try projects(ofKeysMatching: KeyNames.seriesNames(of: "*"))
    }

    /// Returns the projects in whose slots these keys are.
    private func projects(ofKeysMatching pattern: String) throws(StoreUnavailable) -> [String] {
        var scan = KeyScan(self, pattern)
        var projects: Set<String> = []
        while let keys = try scan.next() {
            projects.formUnion(keys.map { String(KeyNames.slot(of: $0).dropFirst(4).dropLast()) })
        }
        return projects.sorted()
    }

    /// Copies a series' debt to its hash under another index key, and names that hash. The ledger of past days keeps
    /// the former hash and its name.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func copySeries(
        from former: String,
        to next: String,
        sealed: [UInt8],
        of project: String
    ) throws(StoreUnavailable) {
        let (range, copy) = (NumberRange.series(former, of: project), NumberRange.series(next, of: project))
        _ = try send("COPY", range.key, copy.key, "REPLACE")
        _ = try sendAll([Command("HSET", .text(KeyNames.seriesNames(of: project)), .text(next), .bytes(sealed))])
    }

    /// Removes the debt of a series.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func removeSeries(_ hash: String, of project: String) throws(StoreUnavailable) {
        _ = try send("DEL", NumberRange.series(hash, of: project).key)
    }

    /// Removes the debts of all blocks.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func removeBlocks() throws(StoreUnavailable) {
        try removeKeys(matching: KeyNames.anyBlock(of: "*")) { _ in true }
    }

    /// Waits until as many replicas as the operator requires have everything that was copied.
    /// - Throws: ``StoreUnavailable`` if they do not; a retry is harmless.
    func confirmCopies() throws(StoreUnavailable) {
        try confirmAllWrites(
            inSlotsOf: shards.shards.map { KeyNames.anyInSlot("e", $0) } + projects.map { KeyNames.seriesNames(of: $0) }
        )
    }

    /// Removes all verification sessions: their locks contain the number's former hash.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func removeSessions() throws(StoreUnavailable) {
        try removeKeys(matching: KeyNames.anyVerification(of: "*")) { _ in true }
    }

    /// Removes everything that is stored under the hash of a number or e-mail address under another index key.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func removeIdentities(notUnder id: UInt8) throws(StoreUnavailable) {
        try removeKeys(matching: KeyNames.anyOfIdentifiers) { key in
            KeyNames.identifierHash(ofKey: key).map { IndexKeyHash.id(of: $0) != id } ?? false
        }
    }

    private func removeKeys(matching pattern: String, where isRemoved: (String) -> Bool) throws(StoreUnavailable) {
        var scan = KeyScan(self, pattern)
        while let keys = try scan.next() {
            _ = try sendAll("DEL", KeyNames.bySlot(keys.filter(isRemoved)))
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
