public import Encodings
internal import OutgoingHTTP

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
    /// - Throws: ``GatewayConfigurationError/unreadableTrustRoots``
    public init(
        _ configuration: GatewayHTTPConfiguration = GatewayHTTPConfiguration(),
        now: @escaping @Sendable () -> Instant = Instant.system
    ) throws(GatewayConfigurationError) {
        client = BoundedHTTPClient(try Self.httpConfiguration(configuration))
        deadline = configuration.deadline
        self.now = now
    }

    /// Closes all connections permanently, and cancels pending requests.
    public func shutDown() async {
        await client.shutDown()
    }

    /// Posts a request and returns the whole response.
    func post(_ request: GatewayRequest) async throws(ExchangeFailure) -> GatewayAnswer {
        do throws(RequestFailure) {
            let answer = try await client.send(request.http, within: deadline)
            return GatewayAnswer(
                status: answer.status,
                retryAfter: answer.headers.first(name: "retry-after").flatMap(retryAfter),
                body: answer.body
            )
        } catch {
            throw ExchangeFailure(TroubleKind(error.reason), mayBeSent: error.mayBeSent)
        }
    }

    private func retryAfter(_ text: String) -> Duration? {
        RetryAfter.duration(text, at: now(), maximum: Self.longestWait)
    }

    private static func httpConfiguration(
        _ configuration: GatewayHTTPConfiguration
    ) throws(GatewayConfigurationError) -> HTTPClientConfiguration {
        var http: HTTPClientConfiguration
        do {
            http = try HTTPClientConfiguration(trusting: configuration.trustRoots)
        } catch {
            throw .unreadableTrustRoots
        }
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
