internal import Encodings
public import OutgoingHTTP
public import PhoneAuth

/// The HTTP client for the blocking hooks of a process's projects.
///
/// It follows no redirects, reads no proxy from the environment, and opens no connection and no thread before the first
/// call.
public final class BlockingHookClient: Sendable {
    private static let connectDeadline: Duration = .seconds(3)
    /// Short, because an event that is sent just as the server closes an idle connection fails the user's sign-in. Long
    /// enough for the two events of one sign-in.
    private static let maximumIdleTime: Duration = .seconds(1)

    private let client: BoundedHTTPClient

    /// Creates a client; one is enough for a process.
    ///
    /// - Parameters:
    ///   - trustRoots: the certificates that must have signed the hooks' certificates.
    ///   - maximumConnectionsPerHost: the maximum number of connections to a host.
    ///   - proxy: the proxy to hooks with an `https` URL; nil for none.
    /// - Throws: `UnreadableTrustRoots`
    public init(
        trusting trustRoots: TrustRoots,
        maximumConnectionsPerHost: Int,
        proxy: HTTPProxy? = nil
    ) throws(UnreadableTrustRoots) {
        var configuration = try HTTPClientConfiguration(trusting: trustRoots)
        // A call that times out closes its connection. Over HTTP/1.1 this affects no other call; over HTTP/2 it would.
        configuration.version = .http1
        configuration.proxy = proxy
        configuration.connectDeadline = Self.connectDeadline
        configuration.maximumIdleTime = Self.maximumIdleTime
        configuration.maximumConnectionsPerHost = maximumConnectionsPerHost
        client = BoundedHTTPClient(configuration)
    }

    /// Posts to a hook and waits for the response, until the deadline at most. Call it from a thread that may block,
    /// never from an event loop's or a task's.
    ///
    /// - Parameter request: the URL, the body and the deadline.
    /// - Returns: the hook's response, or the reason why there is none.
    public func post(_ request: BlockingHookRequest) -> BlockingHookReply {
        let fields: HTTPHeaderFields = [
            "Content-Type": "application/json", "Accept": "application/json", "User-Agent": "Dialtone",
        ]
        let http = HTTPRequest(postingTo: request.url.text, headers: fields, body: request.body)
        do throws(RequestFailure) {
            let answer = try client.sendAndWait(http, within: request.deadline)
            return .answered(status: answer.status, body: answer.body)
        } catch {
            return error.reason == .timedOut ? .timedOut : .unreachable("\(error.reason)")
        }
    }

    /// Closes all connections permanently. Calls under way fail.
    public func shutDown() {
        client.shutDownAndWait()
    }
}
