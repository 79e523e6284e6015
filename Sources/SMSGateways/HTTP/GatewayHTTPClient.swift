internal import Encodings
internal import OutgoingHTTP

/// The connections to one gateway.
///
/// It follows no redirect, which would carry credentials to where nobody configured them to go, and reads no proxy from the environment.
public final class GatewayHTTPClient: Sendable {
    /// No code lives longer: who has to wait so long need not come back.
    private static let longestWait: Duration = .seconds(60 * 60)

    private let client: BoundedHTTPClient
    private let deadline: Duration
    private let now: @Sendable () -> UnixTime

    /// Makes a client. Shut it down in the end.
    ///
    /// - Parameters:
    ///   - configuration: deadlines, limits and whom to trust.
    ///   - now: the time, against which `Retry-After` is read.
    /// - Throws: ``GatewayConfigurationError/unreadableTrustRoots``
    public init(
        _ configuration: GatewayHTTPConfiguration = GatewayHTTPConfiguration(),
        now: @escaping @Sendable () -> UnixTime = UnixTime.system
    ) throws(GatewayConfigurationError) {
        client = BoundedHTTPClient(try Self.httpConfiguration(configuration))
        deadline = configuration.deadline
        self.now = now
    }

    /// Closes all connections for good; messages under way are cancelled.
    public func shutDown() async {
        await client.shutDown()
    }

    /// Posts a request and reads the whole answer.
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
        RetryAfter.duration(text, nowMilliseconds: now().seconds * 1000, maximum: Self.longestWait)
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
        // A message that is given up closes its connection: a dead one harms no second message, as it would over HTTP/2.
        http.version = .http1
        http.proxy = configuration.proxy
        http.connectDeadline = configuration.connectDeadline
        http.maximumIdleTime = configuration.maximumIdleTime
        http.maximumConnectionsPerHost = configuration.maximumConnectionsPerHost
        return http
    }
}
