internal import Redis

/// Reads the keys of Dialtone from a snapshot of Redis, or of each master of a cluster. Each snapshot is of one moment.
public struct SnapshotScan {
    private let store: Store
    private let isLeftOut: (String) -> Bool
    /// The servers at the beginning.
    private let layout: NodeLayout
    private var nodesLeft: ArraySlice<ServerNode>
    private var reader: SnapshotReader?
    /// The number of keys on all servers at the beginning, including those of other applications.
    public let total: Int
    /// The number of keys that have been read, including those of other applications.
    public private(set) var count = 0
    /// The number of keys of Dialtone that were left out so far.
    public private(set) var leftOut = 0

    /// Prepares to read from the servers of a store, and to leave out keys.
    /// - Throws: ``StoreUnavailable``.
    public init(_ store: Store, leavingOut isLeftOut: @escaping (String) -> Bool) throws(StoreUnavailable) {
        self.store = store
        self.isLeftOut = isLeftOut
        layout = try store.layout()
        guard !layout.isChanging else { throw Self.moved }
        nodesLeft = layout.nodes[...]
        var total: Int64 = 0
        for outcome in try store.outcomes(ofAllServersTo: "DBSIZE") { total += try outcome.get().integer() }
        self.total = Int(total)
    }

    /// Returns the next key, or nil at the end.
    /// - Throws: ``StoreUnavailable``, also if the user may not read snapshots, or keys of a cluster have moved between
    ///   servers meanwhile.
    public mutating func next() throws(StoreUnavailable) -> SnapshotEntry? {
        while true {
            guard reader != nil else {
                guard let node = nodesLeft.popFirst() else {
                    guard try store.layout() == layout else { throw Self.moved }
                    return nil
                }
                reader = try store.snapshotReader(of: node)
                continue
            }
            guard let entry = try reader?.next() else {
                reader = nil
                continue
            }
            count += 1
            guard KeyNames.isOfDialtone(entry.key) else { continue }
            guard isLeftOut(entry.key) else { return entry }
            leftOut += 1
        }
    }

    private static let moved = StoreUnavailable(
        description: "slots of the Redis Cluster are being moved or have a new master; try again after that"
    )
}
