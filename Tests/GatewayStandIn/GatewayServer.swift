public import APNsStandIn
internal import Synchronization

/// An HTTP/1.1 server on this machine that stands in for a gateway.
///
/// It does what is queued, and accepts as Twilio does when nothing is queued. It ends with the value.
public final class GatewayServer: Sendable {
    /// Who signed its certificate.
    public let authority: TestAuthority
    /// `https://127.0.0.1:port`, or http where it is plain.
    public let url: String
    private let ledger: Ledger
    private let server: StandInServer

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - host: an IPv4 address of this machine.
    ///   - authority: who signs its certificate.
    ///   - isPlain: whether it goes without TLS.
    ///   - tickets: how many TLS session tickets each client gets.
    /// - Returns: the running server.
    /// - Throws: what kept it from listening.
    public static func start(
        host: String = "127.0.0.1",
        authority: TestAuthority? = nil,
        isPlain: Bool = false,
        tickets: Int = 2
    ) async throws -> GatewayServer {
        let authority = try authority ?? TestAuthority()
        let ledger = Ledger()
        let server = try await StandInServer(
            .http1,
            host: host,
            authority: isPlain ? nil : authority,
            tickets: tickets,
            handler: ledger.record
        )
        let url = "\(isPlain ? "http" : "https")://\(host):\(server.port)"
        return GatewayServer(authority, url, ledger, server)
    }

    private init(_ authority: TestAuthority, _ url: String, _ ledger: Ledger, _ server: StandInServer) {
        self.authority = authority
        self.url = url
        self.ledger = ledger
        self.server = server
    }

    /// Every request so far, in the order in which their last bytes came.
    public var requests: [ReceivedRequest] { ledger.state.withLock { $0.requests } }
    /// How many connections there have been.
    public var connectionCount: Int { ledger.state.withLock { $0.connectionCount } }
    /// The highest number of requests that were under way at once.
    public var maximumAtOnce: Int { ledger.state.withLock { $0.maximumAtOnce } }

    /// Does this with the next requests.
    public func queue(_ replies: Reply...) {
        ledger.state.withLock { $0.replies += replies }
    }

    /// Does this with each request for which nothing is queued.
    public func always(_ reply: Reply) {
        ledger.state.withLock { $0.standing = reply }
    }

    /// Stops listening and ends all connections.
    public func stop() async { try? await server.stop() }
}
