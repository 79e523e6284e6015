public import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1

/// An HTTP client whose every call comes to an end in time, whatever the server does.
///
/// Who tries again, and when, is for the caller to say: it opens a connection once and sends a request once.
public final class BoundedHTTPClient: Sendable {
    /// The answers of all that we ask have some hundreds of bytes. What comes after so many is not read.
    static let maximumAnswerBytes = 16 * 1024
    /// Requests under way fail at once, so what remains is a farewell.
    private static let shutDownLimit: Duration = .seconds(2)

    private let client: HTTPClient

    /// Makes a client, which opens its connections when they are needed. Shut it down in the end.
    ///
    /// - Parameter configuration: what ``AsyncHTTPClient/HTTPClient/Configuration/outgoing(trusting:)`` made, with more of one's own.
    public init(_ configuration: HTTPClient.Configuration) {
        var configuration = configuration
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(configuration: configuration)
    }

    /// Sends a request and reads the whole answer.
    ///
    /// A race against the clock: the HTTP client's own deadline ends with the answer's head. A request that it never ends, as can happen
    /// when the server winds the connection up, costs its sender the deadline and no more.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - deadline: how long to wait for the answer's last byte, connecting included.
    /// - Returns: the answer, whatever its status.
    /// - Throws: ``TransportFailure``
    public func send(
        _ request: HTTPClientRequest,
        within deadline: Duration
    ) async throws(TransportFailure) -> HTTPAnswer {
        let result = await race(within: deadline) { [client] in await Self.exchange(request, with: client) }
        switch result {
        case .finished(let answer): return try answer.get()
        case .timedOut: throw .timedOut
        case .cancelled: throw .cancelled
        }
    }

    /// Closes all connections for good; requests under way fail. Call it once.
    ///
    /// A client whose server wound its connection up may never come to an end: it is left to itself after two seconds.
    public func shutDown() async {
        // In a task of its own, so that a caller who was cancelled says farewell as well.
        await Task { [client] in
            _ = await race(within: Self.shutDownLimit) { try? await client.shutdown() }
        }.value
    }

    private static func exchange(
        _ request: HTTPClientRequest,
        with client: HTTPClient
    ) async -> Result<HTTPAnswer, TransportFailure> {
        do {
            let response = try await client.execute(request, deadline: .distantFuture)
            let body = try await body(of: response)
            return .success(HTTPAnswer(status: Int(response.status.code), headers: response.headers, body: body))
        } catch {
            return .failure(TransportFailure(error))
        }
    }

    /// A longer body is no explanation: the answer then counts by its status.
    private static func body(of response: HTTPClientResponse) async throws -> [UInt8] {
        do {
            return Array(try await response.body.collect(upTo: maximumAnswerBytes).readableBytesView)
        } catch is NIOTooManyBytesError {
            return []
        }
    }
}
