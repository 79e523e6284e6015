public import Encodings
public import OutgoingHTTP

/// An HTTP client for one gateway.
///
/// The client follows no redirects, because a redirect could send credentials to a host that is not configured. It
/// reads no proxy from the environment.
public final class GatewayHTTPClient: Sendable {
    /// The upper bound of `Retry-After`. No code lives longer, so a longer wait makes no difference.
    private static let longestWait: Duration = .seconds(60 * 60)

    private let client: BoundedHTTPClient
    private let deadline: Duration
    private let now: @Sendable () -> Instant

    /// Creates a client. Call ``shutDown()`` when it is no longer needed.
    ///
    /// - Parameters:
    ///   - configuration: deadlines, limits and trust roots.
    ///   - now: the clock for dates in `Retry-After`.
    /// - Throws: `UnreadableTrustRoots`
    public init(
        _ configuration: GatewayHTTPConfiguration = GatewayHTTPConfiguration(),
        now: @escaping @Sendable () -> Instant = Instant.system
    ) throws(UnreadableTrustRoots) {
        client = BoundedHTTPClient(try Self.httpConfiguration(configuration))
        deadline = configuration.deadline
        self.now = now
    }

    /// Closes all connections permanently, and cancels pending requests.
    public func shutDown() async {
        await client.shutDown()
    }

    /// Sends a request and returns the whole response.
    func send(_ request: GatewayRequest) async throws(RequestFailure) -> GatewayAnswer {
        let answer = try await client.send(request.http, within: deadline)
        return GatewayAnswer(
            status: answer.status,
            retryAfter: answer.headers.first(name: "retry-after").flatMap(retryAfter),
            body: answer.body
        )
    }

    private func retryAfter(_ text: String) -> Duration? {
        RetryAfter.duration(text, at: now(), maximum: Self.longestWait)
    }

    private static func httpConfiguration(
        _ configuration: GatewayHTTPConfiguration
    ) throws(UnreadableTrustRoots) -> HTTPClientConfiguration {
        var http = try HTTPClientConfiguration(trusting: configuration.trustRoots)
        // With HTTP/1.1, a cancelled request closes its connection, so a dead connection affects only one message. With
        // HTTP/2, it would affect other messages.
        http.version = .http1
        http.proxy = configuration.proxy
        http.connectDeadline = configuration.connectDeadline
        http.maximumIdleTime = configuration.maximumIdleTime
        http.maximumConnectionsPerHost = configuration.maximumConnectionsPerHost
        return http
    }
}

/// The timeouts, connection limits and trust roots for requests to gateways.
public struct GatewayHTTPConfiguration: Sendable {
    /// The deadline for one message, from waiting for a connection to the last byte of the response.
    public var deadline: Duration = .seconds(10)
    /// The connect timeout, including the TLS handshake.
    public var connectDeadline: Duration = .seconds(4)
    /// The maximum number of connections per host; further messages wait for a connection within their deadline.
    public var maximumConnectionsPerHost = 16
    /// How long an idle connection is kept. It is short: if a server closes an idle connection just as a message is
    /// sent, it is uncertain whether the server received the message.
    public var maximumIdleTime: Duration = .seconds(15)
    /// The certificate authorities trusted for server certificates.
    public var trustRoots = TrustRoots.system
    /// The proxy for gateways with an `https` URL; nil for none.
    public var proxy: HTTPProxy?

    /// Creates a configuration with defaults for Twilio and Vonage.
    public init() {}
}

/// A request to a gateway. It contains credentials, a phone number and a text.
struct GatewayRequest: Sendable, Confidential {
    let url: String
    /// Nil for a request without a body, which is a GET.
    var contentType: String?
    var body: [UInt8] = []
    /// Header fields in addition to those that describe the content.
    var headers: [(name: String, value: String)] = []
    /// The credentials for Basic authentication (RFC 7617).
    var basicAuthentication: (name: String, password: GatewaySecret)?

    /// The HTTP request to send.
    var http: HTTPRequest {
        let defaults = [("Accept", "application/json"), ("User-Agent", "Dialtone")]
        var fields = HTTPHeaderFields()
        for (name, value) in defaults where !headers.contains(where: { $0.name.lowercased() == name.lowercased() }) {
            fields.add(name: name, value: value)
        }
        if let contentType { fields.add(name: "Content-Type", value: contentType) }
        for header in headers { fields.add(name: header.name, value: header.value) }
        if let (name, password) = basicAuthentication {
            fields.add(name: "Authorization", value: "Basic \(Base64.encode("\(name):\(password.text)".utf8))")
        }
        return contentType == nil
            ? HTTPRequest(url: url, headers: fields) : HTTPRequest(postingTo: url, headers: fields, body: body)
    }
}

extension TroubleKind {
    /// Maps the failure of a request without a response.
    init(_ failure: TransportFailure) {
        self =
            switch failure {
            case .timedOut: .timedOut
            case .nameNotResolved: .nameNotResolved
            case .unreachable: .unreachable
            case .untrustedServer: .untrustedServer
            case .tlsRefused: .tlsRefused
            case .connectionLost: .connectionLost
            case .cancelled: .cancelled
            }
    }
}
