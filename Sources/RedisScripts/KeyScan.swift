internal import Redis

/// Iterates over the keys that match a pattern, page by page: those of one Redis, or of all masters of a cluster. A key
/// that exists throughout the scan is returned at least once.
///
/// The scan starts over after an error, or if keys of a cluster have moved between servers meanwhile.
public struct KeyScan {
    private static let pageSize = "1000"

    private let store: Store
    private let pattern: String
    /// The servers at the beginning; nil before it.
    private var layout: NodeLayout?
    /// The servers that have not been scanned completely.
    private var nodesLeft: ArraySlice<ServerNode> = []
    private var cursor = "0"

    /// Begins a scan of the keys that match a pattern of `SCAN`.
    public init(_ store: Store, _ pattern: String) {
        self.store = store
        self.pattern = pattern
    }

    /// Returns the next keys, possibly none, or nil at the end.
    public mutating func next() throws(StoreUnavailable) -> [String]? {
        do throws(StoreUnavailable) {
            if layout == nil { try begin() }
            guard let node = nodesLeft.first else { return try isComplete() ? nil : [] }
            let page = try store.send("SCAN", [cursor, "MATCH", pattern, "COUNT", Self.pageSize], to: node)
            cursor = try page.text(at: 0)
            if cursor == "0" { nodesLeft.removeFirst() }
            return try page.reply(at: 1).texts()
        } catch {
            layout = nil
            throw error
        }
    }

    private mutating func begin() throws(StoreUnavailable) {
        let layout = try store.layout()
        guard !layout.isChanging else {
            throw StoreUnavailable(description: "slots of the Redis Cluster are being moved; try again after that")
        }
        self.layout = layout
        nodesLeft = layout.nodes[...]
        cursor = "0"
    }

    /// Returns whether no key has moved between servers. Otherwise the scan starts over.
    private mutating func isComplete() throws(StoreUnavailable) -> Bool {
        let layout = try store.layout()
        if layout == self.layout, !layout.isChanging { return true }
        self.layout = nil
        return false
    }
}
