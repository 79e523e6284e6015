public import APNsStandIn
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import Synchronization

/// An HTTP/1.1 server on this machine that stands in for a gateway. It does what is queued, and accepts as Twilio does when nothing is.
public final class GatewayServer: Sendable {
    /// Who signed its certificate.
    public let authority: TestAuthority
    /// `https://127.0.0.1:port`, or http where it is plain.
    public let url: String
    private let ledger: Ledger
    private let listener: any Channel

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - host: an IPv4 address of this machine.
    ///   - authority: who signs its certificate.
    ///   - isPlain: whether it goes without TLS.
    /// - Returns: the running server.
    /// - Throws: what kept it from listening.
    public static func start(
        host: String = "127.0.0.1",
        authority: TestAuthority? = nil,
        isPlain: Bool = false
    ) async throws -> GatewayServer {
        let authority = try authority ?? TestAuthority()
        let ledger = Ledger()
        let identity = try authority.serverIdentity()
        let tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(identity.certificate.utf8)).map {
                .certificate($0)
            },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(identity.privateKey.utf8), format: .pem))
        )
        let context = try NIOSSLContext(configuration: tls)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let number = ledger.connected(channel)
                    if !isPlain {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    }
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(withPipeliningAssistance: false)
                    try channel.pipeline.syncOperations.addHandler(ReplyHandler(ledger: ledger, connection: number))
                }
            }
            .bind(host: host, port: 0)
            .get()
        let url = "\(isPlain ? "http" : "https")://\(host):\(listener.localAddress?.port ?? 0)"
        return GatewayServer(authority, url, ledger, listener)
    }

    private init(_ authority: TestAuthority, _ url: String, _ ledger: Ledger, _ listener: any Channel) {
        self.authority = authority
        self.url = url
        self.ledger = ledger
        self.listener = listener
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
    public func stop() async {
        try? await listener.close()
        for channel in ledger.state.withLock({ $0.open.values.map { $0 } }) {
            channel.eventLoop.execute { Self.cut(channel) }
            _ = try? await channel.closeFuture.get()
        }
    }

    /// Closes the socket, without a word in TLS or HTTP. Call it on the connection's event loop.
    static func cut(_ connection: any Channel) {
        let pipeline = connection.pipeline.syncOperations
        if let tls = try? pipeline.context(handlerType: NIOSSLServerHandler.self) {
            tls.close(promise: nil)
        } else {
            connection.close(promise: nil)
        }
    }
}
