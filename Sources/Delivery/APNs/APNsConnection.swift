internal import OutgoingHTTP
internal import Synchronization

/// One HTTP/2 connection to one server, opened on demand and reopened after it is lost.
///
/// It is an HTTP client for a single host. Over HTTP/2 such a client never opens a second connection, not even for a
/// burst of first requests, but waits for a stream.
final class APNsConnection: Sendable {
    /// The purpose of a connection. APNs ties a connection to the team, the key and the environment of its first push.
    enum Purpose: Hashable, Sendable {
        case providerToken(ProviderTokenKey, PushOrigin)
        case clientCertificate(ClientCertificate, PushOrigin)
    }

    private let configuration: HTTPClientConfiguration
    private let deadline: Duration
    private let state: Mutex<State>

    private struct State: Sendable {
        var client: BoundedHTTPClient
        var isClosed = false
        var lastAnswer: ContinuousClock.Instant?
        /// Completes when all replaced clients are closed.
        var closing: Task<Void, Never>?
    }

    init(configuration: HTTPClientConfiguration, deadline: Duration) {
        self.configuration = configuration
        self.deadline = deadline
        state = Mutex(State(client: BoundedHTTPClient(configuration)))
    }

    /// Sends a request and reads the whole response. If all streams are in use, the request waits for one, within its
    /// deadline.
    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPAnswer {
        let client = state.withLock { $0.client }
        let start = ContinuousClock.now
        do throws(RequestFailure) {
            let answer = try await client.send(request, within: deadline)
            state.withLock { $0.lastAnswer = .now }
            return answer
        } catch {
            if error.reason == .timedOut { replace(client, unlessAnsweredSince: start) }
            // The caller did not cancel the request: the client was shut down, usually to be replaced.
            let isLost = error.reason == .cancelled && !Task.isCancelled
            throw isLost ? .connectionLost : error.reason
        }
    }

    /// Closes the connection permanently; requests in progress fail. Call it once.
    func close() async {
        let (client, closing) = state.withLock { state in
            state.isClosed = true
            return (state.client, state.closing)
        }
        await closing?.value
        await client.shutDown()
    }

    /// Replaces a connection that has stopped responding.
    ///
    /// The peer may have vanished silently. Every further request would then time out, until the system detects the
    /// loss minutes later. A server that is slow with only one request has responded to others since `start`, so its
    /// connection is kept.
    private func replace(_ client: BoundedHTTPClient, unlessAnsweredSince start: ContinuousClock.Instant) {
        let configuration = configuration
        state.withLock { state in
            guard state.client === client, !state.isClosed else { return }
            if let lastAnswer = state.lastAnswer, lastAnswer >= start { return }
            state.client = BoundedHTTPClient(configuration)
            state.closing = Task { [previous = state.closing] in
                await previous?.value
                await client.shutDown()
            }
        }
    }
}

/// The connections of an ``APNsClient``, one for each credential and server.
final class APNsConnections: Sendable {
    /// Less than the 350 seconds after which common NAT gateways drop an idle connection silently.
    private static let maximumIdleTime: Duration = .seconds(300)

    /// The configuration of all connections.
    private let common: HTTPClientConfiguration
    private let deadline: Duration
    /// Nil once closed.
    private let opened: Mutex<[APNsConnection.Purpose: APNsConnection]?> = Mutex([:])

    init(_ configuration: APNsConfiguration) throws(UnreadableTrustRoots) {
        var common = try HTTPClientConfiguration(trusting: configuration.trustRoots)
        common.version = .http2
        common.proxy = configuration.proxy
        common.connectDeadline = configuration.requestDeadline
        common.maximumIdleTime = Self.maximumIdleTime
        self.common = common
        deadline = configuration.requestDeadline
    }

    /// Returns the connection for `purpose`, always the same one; nil after ``close()``.
    func connection(for purpose: APNsConnection.Purpose) -> APNsConnection? {
        opened.withLock { opened in
            guard opened != nil else { return nil }
            if let connection = opened?[purpose] { return connection }
            let connection = APNsConnection(
                configuration: httpConfiguration(for: purpose),
                deadline: deadline
            )
            opened?[purpose] = connection
            return connection
        }
    }

    /// Closes all connections permanently; requests in progress fail.
    func close() async {
        let connections = opened.withLock { opened in
            defer { opened = nil }
            return opened?.values.map { $0 } ?? []
        }
        for connection in connections { await connection.close() }
    }

    private func httpConfiguration(for purpose: APNsConnection.Purpose) -> HTTPClientConfiguration {
        var configuration = common
        if case .clientCertificate(let certificate, _) = purpose { configuration.identity = certificate.identity }
        return configuration
    }
}
