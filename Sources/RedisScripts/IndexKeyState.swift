internal import Redis

/// Which index key is in force: the key of the keyed hashes by which numbers and e-mail addresses are found. Redis
/// keeps it beside the deployment's marks, so one comparison keeps a process from serving under another key.
public struct IndexKeyState: Hashable, Sendable {
    /// The id of the key in force.
    public let id: UInt8
    /// The id of the key to which claims are being moved; nil unless a move is incomplete. Until it is complete, no
    /// worker or dispatcher uses this Redis.
    public let next: UInt8?

    /// Creates a state.
    public init(id: UInt8, next: UInt8? = nil) {
        self.id = id
        self.next = next
    }

    /// The state of a deployment that has never moved.
    static let first = IndexKeyState(id: IndexKeyHash.firstID)

    /// The field of the deployment's marks that has the state.
    public static let field = "index-key"

    /// Parses the stored state: `2`, or `1>2` during a move.
    public init?(text: String) {
        let ids = text.split(separator: ">", maxSplits: 1, omittingEmptySubsequences: false).map { UInt8($0) }
        guard let id = ids[0], ids.count == 1 || ids[1] != nil else { return nil }
        self.init(id: id, next: ids.count == 2 ? ids[1] : nil)
    }

    /// The state as it is stored.
    public var text: String { next.map { "\(id)>\($0)" } ?? "\(id)" }
}

/// The index key of a hash of a number, e-mail address or recovery code: stored as a prefix, such as `2.`, before the
/// base64url. Hashes under the first key have no prefix.
public enum IndexKeyHash {
    /// The id of a deployment's first index key.
    public static let firstID: UInt8 = 1

    /// Returns a hash with the prefix of this index key.
    public static func text(_ hash: String, under id: UInt8) -> String {
        id == firstID ? hash : "\(id).\(hash)"
    }

    /// Returns the id of the index key of a hash.
    public static func id(of hash: some StringProtocol) -> UInt8 {
        guard let dot = hash.utf8.firstIndex(of: UInt8(ascii: ".")) else { return firstID }
        return UInt8(hash[..<dot]) ?? firstID
    }
}

extension Store {
    /// Returns the index key in force. Workers call this once a second, and the same round trip compares the
    /// deployment's marks.
    /// - Throws: ``StoreUnavailable``, also if Redis is another deployment's by now, because it was replaced, restored
    ///   or emptied, or if the index key has moved or is being moved.
    public func indexKeyState() throws(StoreUnavailable) -> IndexKeyState {
        try compareMarks()
        return indexKey ?? .first
    }

    /// Records which index key is in force, or to which key claims are being moved.
    /// - Throws: ``StoreUnavailable``, also if Redis is another deployment's or was emptied; a retry is harmless.
    public func setIndexKeyState(_ state: IndexKeyState) throws(StoreUnavailable) {
        try confirmDeployment()
        _ = try send("HSET", [KeyNames.deployment, IndexKeyState.field, state.text], isConfirmed: true)
    }

    /// Returns the addresses of the clients that other processes of Dialtone have connected to any of the servers and
    /// that use the same database.
    /// - Throws: ``StoreUnavailable``, also if the ACL does not permit `CLIENT LIST`.
    public func otherClients() throws(StoreUnavailable) -> [String] {
        var addresses: Set<String> = []
        for outcome in try outcomes(ofAllServersTo: "CLIENT", "LIST") {
            let reply = try outcome.get()
            guard let list = try? reply.text() else {
                throw StoreUnavailable(description: "Redis does not list its clients: the user needs +client|list")
            }
            for line in list.split(separator: "\n") {
                let words = line.split(separator: " ")
                guard let name = words.first(where: { $0.hasPrefix("name=") })?.dropFirst(5),
                    name.hasPrefix(ConnectionConfiguration.clientNamePrefix), name != ownClient.name,
                    words.contains("db=\(ownClient.database)"),
                    let address = words.first(where: { $0.hasPrefix("addr=") })?.dropFirst(5)
                else { continue }
                addresses.insert(String(address))
            }
        }
        return addresses.sorted()
    }

    /// Returns Redis's run id, or the run ids of all masters of a cluster; nil if the ACL denies them. A Redis with
    /// another run id may lack the last writes of this one.
    /// - Throws: ``StoreUnavailable``.
    public func serverRunID() throws(StoreUnavailable) -> String? {
        var ids: [String] = []
        for outcome in try outcomes(ofAllServersTo: "INFO", "server") {
            guard let id = try outcome.get().information?["run_id"] else { return nil }
            ids.append(id)
        }
        return ids.sorted().joined(separator: " ")
    }
}
