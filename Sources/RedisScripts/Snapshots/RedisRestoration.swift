public import Redis

/// Writes a backup into a Redis that has no data.
///
/// The deployment's mark gets its name only after all other keys were written, so no process serves a Redis that was
/// restored in part. Until then, it has another name, by which an interrupted restoration is recognized and can be
/// repeated.
public final class RedisRestoration {
    /// Why Redis cannot take the backup.
    public enum Obstacle: Equatable, Sendable {
        /// Redis is another deployment's.
        case mismatch(DeploymentMismatch)
        /// Redis has data.
        case hasData
        /// Another backup was restored in part.
        case hasOtherBackup
    }

    private static let backupField = "backup"
    private static let attemptField = "attempt"

    private let store: Store
    private let marks: DeploymentMarks
    private var attempt = ""
    /// A key in each slot that was written to.
    private var keysOfSlots: [Substring: String] = [:]

    /// Connects on first use, and compares with the marks of the key file.
    public init(_ configuration: ConnectionConfiguration, shards: ShardCount, marks: DeploymentMarks) {
        store = Store(configuration, shards: shards, projects: [], marks: nil)
        store.needsIndexKey = false
        self.marks = marks
    }

    /// Returns why Redis cannot take the backup with this id; nil if it can.
    /// - Throws: ``StoreUnavailable``.
    public func obstacle(to id: String) throws(StoreUnavailable) -> Obstacle? {
        let stored = try fields(of: KeyNames.deployment)
        guard stored.isEmpty else {
            return marks.mismatch(with: stored, store.shards).map { .mismatch($0) } ?? .hasData
        }
        let begun = try fields(of: KeyNames.restoration)
        guard !begun.isEmpty else { return try store.hasData() ? .hasData : nil }
        return begun[Self.backupField] == id || begun[Self.backupField] == nil ? nil : .hasOtherBackup
    }

    /// Begins to restore a backup with this mark, unless it does not match. An earlier attempt that still runs then
    /// stops, because it could overwrite what users change after this one.
    /// - Returns: why nothing was changed; nil if the restoration has begun.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func begin(
        _ id: String,
        attempt: String,
        mark: SnapshotEntry
    ) throws(StoreUnavailable) -> DeploymentMismatch? {
        let entry = SnapshotEntry(key: KeyNames.restoration, expiry: nil, payload: mark.payload)
        _ = try store.sendAll([Self.command(restoring: entry)])
        let stored = try fields(of: KeyNames.restoration)
        let state = stored[IndexKeyState.field].map { IndexKeyState(text: $0) } ?? .first
        guard let state else { throw .unexpectedReply }
        if let mismatch = marks.mismatch(with: stored, store.shards) ?? marks.mismatch(of: state) {
            _ = try store.send("DEL", KeyNames.restoration)
            return mismatch
        }
        _ = try store.send("HSET", [KeyNames.restoration, Self.backupField, id, Self.attemptField, attempt])
        self.attempt = attempt
        return nil
    }

    /// Writes keys; those that have expired meanwhile are not created.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func write(_ entries: [SnapshotEntry]) throws(StoreUnavailable) {
        try requireCurrent()
        let entries = entries.filter { !$0.isDeploymentMark }
        for entry in entries { keysOfSlots[KeyNames.slot(of: entry.key)] = entry.key }
        _ = try store.sendAll(entries.map(Self.command))
    }

    /// Waits until as many replicas as the operator requires have all keys, and makes Redis the deployment's.
    /// - Throws: ``StoreUnavailable``.
    public func finish() throws(StoreUnavailable) {
        try store.confirmAllWrites(inSlotsOf: Array(keysOfSlots.values))
        try requireCurrent()
        _ = try store.send("HDEL", KeyNames.restoration, Self.backupField, Self.attemptField)
        _ = try store.send("RENAME", [KeyNames.restoration, KeyNames.deployment], isConfirmed: true)
    }

    private func requireCurrent() throws(StoreUnavailable) {
        guard try fields(of: KeyNames.restoration)[Self.attemptField] == attempt else {
            throw StoreUnavailable(description: "another dialtone restore writes to this Redis, or has completed")
        }
    }

    private func fields(of key: String) throws(StoreUnavailable) -> [String: String] {
        try store.send("HGETALL", key).fields(from: 0).texts
    }

    private static func command(restoring entry: SnapshotEntry) -> Command {
        let life = Argument.integer(entry.expiry ?? 0)
        return Command("RESTORE", .text(entry.key), life, .bytes(entry.payload), "REPLACE", "ABSTTL")
    }
}

extension SnapshotEntry {
    /// Whether this is the mark of the deployment.
    public var isDeploymentMark: Bool { key == KeyNames.deployment }
}

extension Store {
    /// Returns whether a backup was restored in part.
    /// - Throws: ``StoreUnavailable``.
    public func isBeingRestored() throws(StoreUnavailable) -> Bool {
        try send("EXISTS", KeyNames.restoration).integer() == 1
    }

    /// Returns whether Redis has data of Dialtone. Keys that expire are no data: workers count events for up to a
    /// second after Redis was emptied.
    /// - Throws: ``StoreUnavailable``.
    public func hasData() throws(StoreUnavailable) -> Bool {
        var scan = KeyScan(self, KeyNames.any)
        while let page = try scan.next() {
            let lives = try sendAll("PTTL", page.map { [$0] })
            if lives.contains(where: { $0.number == -1 }) { return true }
        }
        return false
    }
}
