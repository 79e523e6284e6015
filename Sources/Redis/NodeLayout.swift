/// One server of a deployment: the only one, or a master of a cluster.
public struct ServerNode: Hashable, Sendable, CustomStringConvertible {
    /// The server's address; nil for the server to which the configured servers or Sentinels lead.
    let endpoint: Endpoint?

    /// The address; `Redis` for the only server.
    public var description: String { endpoint?.description ?? "Redis" }
}

/// The servers that have the keys, and the keys of each. Two layouts are equal if each key is on the same server, and
/// has been there since the first one was read.
public struct NodeLayout: Sendable, Equatable {
    /// The slot map; nil for a single server.
    let map: ClusterMap?

    /// Whether some keys are being moved to another server.
    public let isChanging: Bool

    /// The servers.
    public var nodes: [ServerNode] {
        map.map { $0.masters.map { ServerNode(endpoint: $0) } } ?? [ServerNode(endpoint: nil)]
    }

    /// Returns whether each key has been on the same server since the earlier layout. If a slot moves away and back,
    /// the cluster's epoch rises.
    public static func == (one: NodeLayout, other: NodeLayout) -> Bool {
        switch (one.map, other.map) {
        case (nil, nil): true
        case (let one?, let other?): one.epoch == other.epoch && one.hasSameOwners(as: other)
        default: false
        }
    }

    /// Returns whether a reply to `CLUSTER NODES` shows slots that its node is exporting or importing, such as
    /// `[93->-292f8b365bb7edb5e285caf0b7e6ddc7265d2f4f]`.
    static func showsMoves(_ list: String) -> Bool {
        list.split(whereSeparator: \.isNewline).contains { line in
            let fields = line.split(separator: " ")
            return fields.count > 8 && fields[2].split(separator: ",").contains("myself")
                && fields[8...].contains { $0.hasPrefix("[") }
        }
    }
}
