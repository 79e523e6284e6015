internal import OutgoingHTTP
internal import Synchronization

/// One HTTP/2 connection to one server, opened when it is needed and again when it was lost.
///
/// It is an HTTP client that speaks to a single host: over HTTP/2 such a client opens no second connection, not even for a burst of
/// first requests, and waits for a stream instead.
final class APNsConnection: Sendable {
    /// What a connection is opened for. APNs ties it to the team, the key and the environment of its first push.
    enum Purpose: Hashable, Sendable {
        case providerToken(ProviderTokenKey, PushOrigin)
        case clientCertificate(ClientCertificate, PushOrigin)
    }

    private let configuration: HTTPClientConfiguration
    private let deadline: Duration
    private let limit: RequestLimit
    private let state: Mutex<State>

    private struct State: Sendable {
        var client: BoundedHTTPClient
        var isClosed = false
        var lastAnswer: ContinuousClock.Instant?
        /// Ends when all clients that were replaced are closed.
        var closing: Task<Void, Never>?
    }

    init(configuration: HTTPClientConfiguration, deadline: Duration, maximumRequests: Int) {
        self.configuration = configuration
        self.deadline = deadline
        limit = RequestLimit(maximumRequests)
        state = Mutex(State(client: BoundedHTTPClient(configuration)))
    }

    /// Waits for its turn, sends a request and reads the whole answer; the deadline runs from its turn on.
    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPAnswer {
        guard let result = await limit.run({ await exchange(request) }) else { throw .cancelled }
        return try result.get()
    }

    private func exchange(_ request: HTTPRequest) async -> Result<HTTPAnswer, TransportFailure> {
        let client = state.withLock { $0.client }
        let start = ContinuousClock.now
        do throws(RequestFailure) {
            let answer = try await client.send(request, within: deadline)
            state.withLock { $0.lastAnswer = .now }
            return .success(answer)
        } catch {
            if error.reason == .timedOut { replace(client, unlessAnsweredSince: start) }
            // Not the caller gave it up: the client was shut down, most often to be replaced.
            let isLost = error.reason == .cancelled && !Task.isCancelled
            return .failure(isLost ? .connectionLost : error.reason)
        }
    }

    /// Closes the connection for good; requests under way fail. Call it once.
    func close() async {
        let (client, closing) = state.withLock { state in
            state.isClosed = true
            return (state.client, state.closing)
        }
        await closing?.value
        await client.shutDown()
    }

    /// Gives up a connection on which nothing comes any more.
    ///
    /// Its other end may be gone without a word, and every further request would time out on it until the system notices, minutes later.
    /// A server that is only slow with one request has answered others since.
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
