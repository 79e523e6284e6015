internal import Encodings
public import OutgoingHTTP
public import PhoneAuth
internal import Synchronization

/// A client that sends silent pushes to APNs over HTTP/2.
///
/// One client serves all apps. It keeps one connection with many concurrent requests for each credential and
/// environment, and one provider token for each key, shared by all apps of the key. Call ``shutDown()`` before you
/// release the last reference.
///
/// ``send(_:as:tryingFirst:)`` retries only what needs no delay: once in the other environment, and once with a renewed
/// provider token. Retries after a delay are up to the caller.
public final class APNsClient: Sendable {
    let configuration: APNsConfiguration
    let environment: Environment
    private let connections: APNsConnections
    private let tokenSources: Mutex<[ProviderTokenKey: ProviderTokenSource]> = Mutex([:])

    /// Creates a client that opens its connections on demand.
    /// - Throws: ``UnreadableTrustRoots``
    public init(
        _ configuration: APNsConfiguration = APNsConfiguration(),
        _ environment: Environment = .system
    ) throws(UnreadableTrustRoots) {
        self.configuration = configuration
        self.environment = environment
        connections = try APNsConnections(configuration)
    }

    /// Sends a push in one environment and, if that environment does not know the device, in the other.
    ///
    /// - Parameters:
    ///   - notification: the push, with its device and app.
    ///   - credential: the app's credential.
    ///   - first: the environment that accepted the device's last push, or the one that the app named.
    /// - Returns: the outcome of the push.
    public func send(
        _ notification: PushNotification,
        as credential: APNsCredential,
        tryingFirst first: PushEnvironment
    ) async -> PushOutcome {
        let firstAttempt = await attempt(notification, as: credential, in: first)
        guard firstAttempt.isAboutEnvironment else { return PushOutcome(firstAttempt, in: first) }
        let second = await attempt(notification, as: credential, in: first.other)
        // Both environments refused the push because of the environment. The first one is the more likely one, so its
        // reason explains more.
        return second.isAboutEnvironment ? PushOutcome(firstAttempt, in: first) : PushOutcome(second, in: first.other)
    }

    /// Closes all connections. Pushes in progress return ``PushOutcome/retry(after:_:)``.
    public func shutDown() async {
        await connections.close()
    }

    /// Sends a push in one environment, and sends it again if APNs reports that the provider token has expired.
    func attempt(
        _ notification: PushNotification,
        as credential: APNsCredential,
        in pushEnvironment: PushEnvironment
    ) async -> PushAttempt {
        let origin = configuration.origin(of: pushEnvironment)
        switch credential {
        case .clientCertificate(let certificate):
            let connection = connections.connection(for: .clientCertificate(certificate, origin))
            return await exchange(HTTPRequest(notification, to: origin, nil), on: connection)
        case .providerToken(let key):
            let connection = connections.connection(for: .providerToken(key, origin))
            let source = tokenSource(of: key)
            guard let token = try? source.token(at: environment.now()) else { return .unsigned }
            let attempt = await exchange(HTTPRequest(notification, to: origin, token), on: connection)
            guard attempt.isExpiredProviderToken,
                let renewed = try? source.replacement(for: token, at: environment.now())
            else { return attempt }
            return await exchange(HTTPRequest(notification, to: origin, renewed), on: connection)
        }
    }

    private func tokenSource(of key: ProviderTokenKey) -> ProviderTokenSource {
        tokenSources.withLock { sources in
            if let source = sources[key] { return source }
            let source = ProviderTokenSource(key: key)
            sources[key] = source
            return source
        }
    }

    private func exchange(_ request: HTTPRequest, on connection: APNsConnection?) async -> PushAttempt {
        guard let connection else { return .failed(.cancelled) }
        do throws(TransportFailure) {
            let answer = try await connection.send(request)
            return .answered(
                APNsAnswer(
                    status: answer.status,
                    retryAfter: answer.headers.first(name: "retry-after"),
                    body: answer.body,
                    at: environment.now()
                )
            )
        } catch {
            return .failed(error)
        }
    }
}

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

extension PushEnvironment {
    /// Apple's server of the environment.
    public var origin: PushOrigin {
        switch self {
        case .production: PushOrigin(host: "api.push.apple.com")
        case .sandbox: PushOrigin(host: "api.sandbox.push.apple.com")
        }
    }
}

/// The server of an environment: APNs itself, an operator's proxy in front of it, or a test double. Always TLS.
public struct PushOrigin: Hashable, Sendable, CustomStringConvertible {
    /// A host name or an IP address; IPv6 addresses in brackets.
    public let host: String
    /// The TCP port.
    public let port: UInt16

    /// Creates an origin from a host and port.
    public init(host: String, port: UInt16 = 443) {
        self.host = host
        self.port = port
    }

    /// Parses `https://host` or `https://host:port`; nil for any other form, including a URL with a path.
    public init?(_ url: String) {
        // If a URL equals its own origin, it has no path.
        guard let service = try? ServiceURL(url), service.description == url,
            let address = HostAndPort(url.dropFirst("https://".count))
        else { return nil }
        let host = address.isBracketed ? "[\(address.host)]" : String(address.host)
        self.init(host: host, port: address.port ?? 443)
    }

    /// `https://host`, with the port unless it is 443.
    public var description: String { port == 443 ? "https://\(host)" : "https://\(host):\(port)" }
}
