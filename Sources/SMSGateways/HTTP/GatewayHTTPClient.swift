internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL

/// The connections to all gateways of a process.
///
/// It follows no redirect, which would carry credentials to where nobody configured them to go, and reads no proxy from the environment.
public final class GatewayHTTPClient: Sendable {
    /// Gateways' answers have some hundreds of bytes. What comes after so many is not read.
    static let maximumAnswerBytes = 16 * 1024

    private let client: HTTPClient
    private let deadline: Duration
    private let now: @Sendable () -> UnixTime

    /// Makes a client; one is enough for a process. Shut it down in the end.
    ///
    /// - Parameters:
    ///   - configuration: deadlines, limits and whom to trust.
    ///   - now: the time, against which `Retry-After` is read.
    /// - Throws: ``GatewayConfigurationError/unreadableTrustRoots``
    public init(
        _ configuration: GatewayHTTPConfiguration = GatewayHTTPConfiguration(),
        now: @escaping @Sendable () -> UnixTime = UnixTime.system
    ) throws(GatewayConfigurationError) {
        client = HTTPClient(configuration: try Self.httpConfiguration(configuration))
        deadline = configuration.deadline
        self.now = now
    }

    /// Closes all connections for good; messages under way are cancelled. Call it once.
    public func shutDown() async {
        try? await client.shutdown()
    }

    /// Posts a request and reads the whole answer.
    ///
    /// A race against the clock: the HTTP client's own deadline ends with the answer's head.
    func post(_ request: GatewayRequest) async throws(ExchangeFailure) -> GatewayAnswer {
        let body = ObservedBody(request.body)
        let result = await withTaskGroup(of: Result<GatewayAnswer, ExchangeFailure>.self) { group in
            group.addTask { await self.exchange(request, body) }
            group.addTask { [deadline] in
                do {
                    try await Task.sleep(for: deadline)
                    return .failure(ExchangeFailure(.timedOut, mayBeSent: body.hasBegun))
                } catch {
                    return .failure(ExchangeFailure(.cancelled, mayBeSent: body.hasBegun))
                }
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(ExchangeFailure(.cancelled, mayBeSent: true))
        }
        return try result.get()
    }

    private func exchange(
        _ request: GatewayRequest,
        _ body: ObservedBody
    ) async -> Result<GatewayAnswer, ExchangeFailure> {
        do {
            let response = try await client.execute(request.http(body), deadline: .distantFuture)
            let retryAfter = response.headers.first(name: "retry-after").flatMap { RetryAfter.duration($0, at: now()) }
            let answer = try await Self.body(of: response)
            return .success(
                GatewayAnswer(status: Int(response.status.code), retryAfter: retryAfter, body: answer)
            )
        } catch {
            return .failure(ExchangeFailure(TroubleKind(error), mayBeSent: body.hasBegun))
        }
    }

    /// A longer body is no explanation of a gateway's: the answer then counts by its status.
    private static func body(of response: HTTPClientResponse) async throws -> [UInt8] {
        do {
            return Array(try await response.body.collect(upTo: maximumAnswerBytes).readableBytesView)
        } catch is NIOTooManyBytesError {
            return []
        }
    }

    private static func httpConfiguration(
        _ configuration: GatewayHTTPConfiguration
    ) throws(GatewayConfigurationError) -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if case .certificates(let pem) = configuration.trustRoots {
            guard let certificates = try? NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)), !certificates.isEmpty else {
                throw .unreadableTrustRoots
            }
            tls.trustRoots = .certificates(certificates)
        }
        var http = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        http.proxy = nil
        // A message that is given up closes its connection: a dead one harms no second message, as it would over HTTP/2.
        http.httpVersion = .http1Only
        http.timeout.connect = .milliseconds(configuration.connectDeadline.milliseconds)
        http.connectionPool.idleTimeout = .milliseconds(configuration.maximumIdleTime.milliseconds)
        http.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(1, configuration.maximumConnectionsPerHost)
        // Who tries again, and where, is for the caller to say.
        http.connectionPool.retryConnectionEstablishment = false
        return http
    }
}

extension Duration {
    /// Whole milliseconds, rounded towards zero.
    var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
