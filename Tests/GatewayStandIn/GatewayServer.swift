public import APNsStandIn
internal import Synchronization

/// A mock SMS gateway: an HTTP/1.1 server on this machine.
///
/// The server performs the queued replies. If none is queued, it accepts messages as Twilio does. It stops when the
/// value is released.
public final class GatewayServer: Sendable {
    /// The issuer of the server's certificate.
    public let authority: TestAuthority
    /// `https://127.0.0.1:port`, or `http` without TLS.
    public let url: String
    private let ledger: Ledger
    private let server: StandInServer

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - host: an IPv4 address of this machine.
    ///   - authority: the issuer of the server's certificate.
    ///   - isPlain: whether the server has no TLS.
    ///   - tickets: the number of TLS session tickets for each client.
    /// - Returns: the running server.
    /// - Throws: the error if the server cannot listen.
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

    /// All requests so far, in the order in which they were complete.
    public var requests: [ReceivedRequest] { ledger.state.withLock { $0.requests } }
    /// The number of connections so far.
    public var connectionCount: Int { ledger.state.withLock { $0.connectionCount } }
    /// The maximum number of concurrent requests so far.
    public var maximumAtOnce: Int { ledger.state.withLock { $0.maximumAtOnce } }

    /// Queues replies to the next requests.
    public func queue(_ replies: Reply...) {
        ledger.state.withLock { $0.replies += replies }
    }

    /// Sets the reply to requests for which none is queued.
    public func always(_ reply: Reply) {
        ledger.state.withLock { $0.standing = reply }
    }

    /// Sets how the server responds to requests for which no reply is queued.
    public func always(_ respond: @escaping @Sendable (ReceivedRequest) -> Reply) {
        ledger.state.withLock { $0.respond = respond }
    }

    /// Stops listening and closes all connections.
    public func stop() async { try? await server.stop() }
}
