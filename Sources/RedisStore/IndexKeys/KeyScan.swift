internal import Redis

/// Iterates over the keys of one Redis that match a pattern, page by page. A key that exists throughout the scan is
/// returned at least once.
struct KeyScan {
    private static let pageSize = "1000"

    private let store: Store
    private let pattern: String
    private var cursor: String? = "0"

    init(_ store: Store, _ pattern: String) {
        self.store = store
        self.pattern = pattern
    }

    /// Returns the next keys, possibly none, or nil at the end.
    mutating func next() throws(StoreUnavailable) -> [String]? {
        guard let cursor else { return nil }
        let page = try store.send("SCAN", cursor, "MATCH", pattern, "COUNT", Self.pageSize)
        let next = try page.text(at: 0)
        self.cursor = next == "0" ? nil : next
        return try page.reply(at: 1).texts()
    }
}
