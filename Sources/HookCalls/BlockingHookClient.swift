internal import Encodings
public import OutgoingHTTP
public import PhoneAuth

/// The connections to the blocking hooks of a process's projects.
///
/// It follows no redirect, reads no proxy from the environment, and makes no connection and no thread before the first
/// call.
public final class BlockingHookClient: Sendable {
    private static let connectDeadline: Duration = .seconds(3)
    /// Short, because an event that goes out just as the server closes its connection costs a user the sign-in; long
    /// enough for the two events of one sign-in.
    private static let maximumIdleTime: Duration = .seconds(1)

    private let client: BoundedHTTPClient

    /// Makes a client; one is enough for a process.
    ///
    /// - Parameters:
    ///   - trustRoots: who must have signed the hooks' certificates.
    ///   - maximumConnectionsPerHost: how many connections a host may have.
    ///   - proxy: through which proxy hooks with an `https` URL are reached; nil for none.
    /// - Throws: `UnreadableTrustRoots`
    public init(
        trusting trustRoots: TrustRoots,
        maximumConnectionsPerHost: Int,
        proxy: HTTPProxy? = nil
    ) throws(UnreadableTrustRoots) {
        var configuration = try HTTPClientConfiguration(trusting: trustRoots)
        // A call that is given up closes its connection: a hanging one harms no other, as it would over HTTP/2.
        configuration.version = .http1
        configuration.proxy = proxy
        configuration.connectDeadline = Self.connectDeadline
        configuration.maximumIdleTime = Self.maximumIdleTime
        configuration.maximumConnectionsPerHost = maximumConnectionsPerHost
        client = BoundedHTTPClient(configuration)
    }

    /// Posts to a hook and waits for the answer, until the deadline at most. To be called from a thread that may block,
    /// never from an event loop's or a task's.
    ///
    /// - Parameter request: what to post where.
    /// - Returns: what came of it.
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

    /// Closes all connections for good. Calls under way fail.
    public func shutDown() {
        client.shutDownAndWait()
    }
}
