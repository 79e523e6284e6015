internal import Encodings
public import OutgoingHTTP
public import PhoneAuth

/// The HTTP client for the blocking hooks of a process's projects.
///
/// It follows no redirects, reads no proxy from the environment, and opens no connection and no thread before the first
/// call.
public final class BlockingHookClient: Sendable {
    private static let connectDeadline: Duration = .seconds(3)
    /// Short, because an event fails the user's sign-in if it is sent just as the server closes an idle connection.
    /// Long enough for the two events of one sign-in.
    private static let maximumIdleTime: Duration = .seconds(1)

    private let client: BoundedHTTPClient

    /// Creates a client. A process needs only one.
    ///
    /// - Parameters:
    ///   - trustRoots: the certificate authorities that the hooks' certificates must chain to.
    ///   - maximumConnectionsPerHost: the maximum number of connections to a host.
    ///   - proxy: the proxy for hooks with an `https` URL; nil for none.
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

    /// Posts to a hook and waits for the response, at most until the deadline. Call it from a thread that may block,
    /// never from an event loop or a task.
    ///
    /// - Parameter request: the URL, the body and the deadline.
    /// - Returns: the hook's response, or the reason why there was none.
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

    /// Closes all connections permanently. Calls in progress fail.
    public func shutDown() {
        client.shutDownAndWait()
    }
}
