public import OutgoingHTTP
internal import PhoneAuth
internal import RedisScripts

/// The address of APNs, and the limits of requests to it.
public struct APNsConfiguration: Sendable {
    /// The production environment's server.
    public var production = PushEnvironment.production.origin
    /// The sandbox's server.
    public var sandbox = PushEnvironment.sandbox.origin
    /// The certificate authorities that the servers' certificates must chain to.
    public var trustRoots = TrustRoots.system
    /// The proxy to the servers; nil for none.
    public var proxy: HTTPProxy?
    /// The deadline of one request, including the connection. A device waits five seconds for its push, so two short
    /// attempts are better than one long one.
    public var requestDeadline: Duration = .seconds(3)

    /// Creates a configuration with Apple's servers.
    public init() {}

    func origin(of environment: PushEnvironment) -> PushOrigin {
        switch environment {
        case .production: production
        case .sandbox: sandbox
        }
    }
}
