/// The servers of a Redis, in the order in which they are tried; or the Sentinels that know the master; or some nodes
/// of a cluster, which know the others.
public struct ServerList: Sendable, Hashable, CustomStringConvertible {
    /// The endpoints, at least one.
    public let endpoints: [Endpoint]

    /// The name of the master that the servers know, if they are Sentinels; nil if they are Redis servers themselves.
    public let masterName: String?

    /// Whether the servers are nodes of a Redis Cluster. Any of them reports the others.
    public let isCluster: Bool

    /// The maximum number of endpoints.
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

    /// Whether all servers are certainly on this machine. False for Sentinels and for nodes of a cluster, because they
    /// may report servers on other machines.
    public var isLocal: Bool { masterName == nil && !isCluster && endpoints.allSatisfy(\.isLocal) }

    /// The endpoints, and the name of the master.
    public var description: String {
        let list = endpoints.map(\.description).joined(separator: ",")
        if isCluster { return "Cluster \(list)" }
        return masterName.map { "Sentinel \(list), master \($0)" } ?? list
    }
}
