/// The servers of a Redis, in the order in which they are tried, the Sentinels that know the master, or
/// nodes of a cluster that know the others.
public struct ServerList: Sendable, Hashable, CustomStringConvertible {
    /// The endpoints, at least one.
    public let endpoints: [Endpoint]

    /// The name of the master that the servers know, if they are Sentinels; nil if they are Redis servers themselves.
    public let masterName: String?

    /// Whether the servers are nodes of a Redis Cluster, of which any one names the others.
    public let isCluster: Bool

    /// The most endpoints.
    static let maxEndpoints = 16

    init(_ endpoints: [Endpoint], masterName: String? = nil, isCluster: Bool = false) throws(RedisAddressFault) {
        guard !endpoints.isEmpty else { throw .unknownForm }
        guard endpoints.count <= Self.maxEndpoints else { throw .because("more than \(Self.maxEndpoints) servers") }
        self.endpoints = endpoints
        self.masterName = masterName
        self.isCluster = isCluster
    }

    /// Creates a list of one server.
    public init(_ endpoint: Endpoint) {
        endpoints = [endpoint]
        masterName = nil
        isCluster = false
    }

    /// Whether all servers are certainly on this machine. Sentinels and nodes of a cluster on this machine may name
    /// others.
    public var isLocal: Bool { masterName == nil && !isCluster && endpoints.allSatisfy(\.isLocal) }

    /// The endpoints, and the name of the master.
    public var description: String {
        let list = endpoints.map(\.description).joined(separator: ",")
        if isCluster { return "Cluster \(list)" }
        return masterName.map { "Sentinel \(list), master \($0)" } ?? list
    }
}
