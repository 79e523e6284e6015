internal import AsyncHTTPClient
internal import Encodings
internal import NIOCore
internal import NIOHTTP1
public import OutgoingHTTP
public import PhoneAuth
internal import Synchronization

/// The connections to the blocking hooks of a process's projects.
///
/// It follows no redirect, reads no proxy from the environment, and makes no connection and no thread before the first call.
public final class BlockingHookClient: Sendable {
    private static let connectDeadline: TimeAmount = .seconds(3)
    /// Short, because an event that goes out just as the server closes its connection costs a user the sign-in; long enough for
    /// the two events of one sign-in.
    private static let maximumIdleTime: TimeAmount = .seconds(1)

    private let configuration: HTTPClient.Configuration
    private let client = Mutex<BoundedHTTPClient?>(nil)

    /// Makes a client; one is enough for a process. Shut it down in the end.
    ///
    /// - Parameters:
    ///   - trustRoots: who must have signed the hooks' certificates.
    ///   - maximumConnectionsPerHost: how many connections a host may have.
    /// - Throws: `UnreadableTrustRoots`
    public init(trusting trustRoots: TrustRoots, maximumConnectionsPerHost: Int) throws(UnreadableTrustRoots) {
        var configuration: HTTPClient.Configuration = try .outgoing(trusting: trustRoots)
        // A call that is given up closes its connection: a hanging one harms no other, as it would over HTTP/2.
        configuration.httpVersion = .http1Only
        configuration.timeout.connect = Self.connectDeadline
        configuration.connectionPool.idleTimeout = Self.maximumIdleTime
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(1, maximumConnectionsPerHost)
        self.configuration = configuration
    }

    /// Posts to a hook and waits for the answer, until the deadline at most. To be called from a thread that may block, never
    /// from an event loop's or a task's.
    ///
    /// - Parameter request: what to post where.
    /// - Returns: what came of it.
    public func post(_ request: BlockingHookRequest) -> BlockingHookReply {
        let client = sharedClient()
        return waitFor { await Self.exchange(request, with: client) }
    }

    /// Closes all connections for good. Call it once, when nothing is posted any more.
    public func shutDown() {
        let client = client.withLock { client in
            defer { client = nil }
            return client
        }
        guard let client else { return }
        waitFor { await client.shutDown() }
    }

    private func sharedClient() -> BoundedHTTPClient {
        client.withLock { client in
            if let client { return client }
            let made = BoundedHTTPClient(configuration)
            client = made
            return made
        }
    }

    private static func exchange(
        _ hookRequest: BlockingHookRequest,
        with client: BoundedHTTPClient
    ) async -> BlockingHookReply {
        var request = HTTPClientRequest(url: hookRequest.url.text)
        request.method = .POST
        request.headers = ["Content-Type": "application/json", "Accept": "application/json", "User-Agent": "Dialtone"]
        request.body = .bytes(ByteBuffer(bytes: hookRequest.body))
        do throws(TransportFailure) {
            let answer = try await client.send(request, within: hookRequest.deadline)
            return .answered(status: answer.status, body: answer.body)
        } catch {
            return error == .timedOut ? .timedOut : .unreachable("\(error)")
        }
    }
}
