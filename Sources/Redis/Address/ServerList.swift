/// The servers of a Redis, in the order in which they are tried, or the Sentinels that know the master.
public struct ServerList: Sendable, Hashable, CustomStringConvertible {
    /// The endpoints, at least one.
    public let endpoints: [Endpoint]

    /// The name of the master that the servers know, if they are Sentinels; nil if they are Redis servers themselves.
    public let masterName: String?

    /// The most endpoints.
    static let maxEndpoints = 16

    init(_ endpoints: [Endpoint], masterName: String? = nil) throws(RedisAddressFault) {
        guard !endpoints.isEmpty else { throw .unknownForm }
        guard endpoints.count <= Self.maxEndpoints else { throw .because("more than \(Self.maxEndpoints) servers") }
        self.endpoints = endpoints
        self.masterName = masterName
    }

    /// Creates a list of one server.
    public init(_ endpoint: Endpoint) {
        endpoints = [endpoint]
        masterName = nil
    }

    /// Whether all servers are certainly on this machine. Sentinels on this machine may name another one.
    public var isLocal: Bool { masterName == nil && endpoints.allSatisfy(\.isLocal) }

    /// The endpoints, and the name of the master.
    public var description: String {
        let list = endpoints.map(\.description).joined(separator: ",")
        return masterName.map { "Sentinel \(list), master \($0)" } ?? list
    }
}
