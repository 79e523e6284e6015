public import OutgoingHTTP
internal import RedisStore

/// Where APNs is and how much is asked of it at a time.
public struct APNsConfiguration: Sendable {
    /// The production environment's server.
    public var production = PushEnvironment.production.origin
    /// The sandbox's server.
    public var sandbox = PushEnvironment.sandbox.origin
    /// Who must have signed the servers' certificates.
    public var trustRoots = TrustRoots.system
    /// Through which proxy the servers are reached; nil for none.
    public var proxy: HTTPProxy?
    /// How long one request may take, connecting included. A device waits five seconds for its push: better two short tries than a long one.
    public var requestDeadline: Duration = .seconds(3)
    /// How many requests may be under way on a connection; further ones wait for their turn, so that a server which hangs holds up
    /// nobody else's pushes.
    ///
    /// With 100 ms for an answer, 100 make 1,000 pushes a second. The HTTP client allows no more than 100.
    public var maximumRequestsPerConnection = 100

    /// Apple's servers.
    public init() {}

    func origin(of environment: PushEnvironment) -> PushOrigin {
        switch environment {
        case .production: production
        case .sandbox: sandbox
        }
    }
}
