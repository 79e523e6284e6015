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
