internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
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

    /// An answer as it came.
    struct Answer: Sendable {
        let status: Int
        let headers: HTTPHeaders
        let body: [UInt8]
    }

    /// APNs' answers have some dozens of bytes.
    private static let maximumBodyBytes = 16 * 1024
    /// Requests under way fail at once, so what remains is a farewell.
    private static let shutDownLimit: Duration = .seconds(2)

    private let configuration: HTTPClient.Configuration
    private let deadline: Duration
    private let limit: RequestLimit
    private let state: Mutex<State>

    private struct State: Sendable {
        var client: HTTPClient
        var isClosed = false
        var lastAnswer: ContinuousClock.Instant?
        /// Ends when all clients that were replaced are closed.
        var closing: Task<Void, Never>?
    }

    init(configuration: HTTPClient.Configuration, deadline: Duration, maximumRequests: Int) {
        self.configuration = configuration
        self.deadline = deadline
        limit = RequestLimit(maximumRequests)
        state = Mutex(State(client: HTTPClient(configuration: configuration)))
    }

    /// Waits for its turn, sends a request and reads the whole answer; the deadline runs from its turn on.
    func send(_ request: HTTPClientRequest) async throws(TransportFailure) -> Answer {
        guard let result = await limit.run({ await exchange(request) }) else { throw .cancelled }
        return try result.get()
    }

    private func exchange(_ request: HTTPClientRequest) async -> Result<Answer, TransportFailure> {
        let client = state.withLock { $0.client }
        let start = ContinuousClock.now
        let result = await Self.send(request, with: client, within: deadline)
        switch result {
        case .success: state.withLock { $0.lastAnswer = .now }
        case .failure(.timedOut): replace(client, unlessAnsweredSince: start)
        case .failure: break
        }
        return result
    }

    /// Closes the connection for good; requests under way fail. Call it once.
    func close() async {
        let (client, closing) = state.withLock { state in
            state.isClosed = true
            return (state.client, state.closing)
        }
        await closing?.value
        await Self.shutDown(client)
    }

    /// Shuts a client down, or leaves it to itself: one whose server wound its connection up may never come to an end.
    private static func shutDown(_ client: HTTPClient) async {
        let end = FirstResult<Void>()
        Task {
            try? await client.shutdown()
            end.settle(())
        }
        let clock = Task {
            try await Task.sleep(for: shutDownLimit)
            end.settle(())
        }
        await end.value()
        clock.cancel()
    }

    /// A race against the clock: the HTTP client's own deadline ends with the answer's head.
    ///
    /// The loser is not waited for. A request that the HTTP client never ends, as can happen when the server winds the connection up,
    /// costs its sender the deadline and no more.
    private static func send(
        _ request: HTTPClientRequest,
        with client: HTTPClient,
        within deadline: Duration
    ) async -> Result<Answer, TransportFailure> {
        let first = FirstResult<Result<Answer, TransportFailure>>()
        let exchange = Task {
            do {
                let response = try await client.execute(request, deadline: .distantFuture)
                let body = try await body(of: response)
                first.settle(
                    .success(Answer(status: Int(response.status.code), headers: response.headers, body: body))
                )
            } catch {
                first.settle(.failure(TransportFailure(error)))
            }
        }
        let clock = Task {
            try await Task.sleep(for: deadline)
            first.settle(.failure(.timedOut))
        }
        defer {
            exchange.cancel()
            clock.cancel()
        }
        return await withTaskCancellationHandler {
            await first.value()
        } onCancel: {
            first.settle(.failure(.cancelled))
        }
    }

    /// A longer body is no explanation of APNs': the answer then counts by its status.
    private static func body(of response: HTTPClientResponse) async throws -> [UInt8] {
        do {
            return Array(try await response.body.collect(upTo: maximumBodyBytes).readableBytesView)
        } catch is NIOTooManyBytesError {
            return []
        }
    }

    /// Gives up a connection on which nothing comes any more.
    ///
    /// Its other end may be gone without a word, and every further request would time out on it until the system notices, minutes later.
    /// A server that is only slow with one request has answered others since.
    private func replace(_ client: HTTPClient, unlessAnsweredSince start: ContinuousClock.Instant) {
        let configuration = configuration
        state.withLock { state in
            guard state.client === client, !state.isClosed else { return }
            if let lastAnswer = state.lastAnswer, lastAnswer >= start { return }
            state.client = HTTPClient(configuration: configuration)
            state.closing = Task { [previous = state.closing] in
                await previous?.value
                await Self.shutDown(client)
            }
        }
    }
}
