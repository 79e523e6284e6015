/// The servers of a Redis, in the order in which they are tried.
public struct ServerList: Sendable, Hashable, CustomStringConvertible {
    /// The endpoints, at least one.
    public let endpoints: [Endpoint]

    /// The most endpoints.
    static let maxEndpoints = 16

    init(_ endpoints: [Endpoint]) throws(RedisAddressFault) {
        guard !endpoints.isEmpty else { throw .unknownForm }
        guard endpoints.count <= Self.maxEndpoints else { throw .because("more than \(Self.maxEndpoints) servers") }
        self.endpoints = endpoints
    }

    /// Creates a list of one server.
    public init(_ endpoint: Endpoint) { endpoints = [endpoint] }

    /// Whether all servers are certainly on this machine.
    public var isLocal: Bool { endpoints.allSatisfy(\.isLocal) }

    /// The endpoints in the form that ``RedisAddress`` reads.
    public var description: String { endpoints.map(\.description).joined(separator: ",") }
}
