internal import NIOCore
internal import NIOHTTP2
internal import NIOPosix
internal import NIOSSL

/// An HTTP/2 server on 127.0.0.1, with TLS under a test's own authority, that stands in for APNs.
///
/// It takes every push unless told otherwise, and remembers each of them. Stop it when the test ends.
public final class APNsServer: Sendable {
    /// Who signed the server's certificate.
    public let authority: TestAuthority
    /// The TCP port on 127.0.0.1.
    public let port: UInt16
    private let ledger: Ledger
    private let listener: any Channel

    /// Starts a server and returns when it listens.
    ///
    /// - Parameters:
    ///   - authority: who signs the server's certificate; by default a new one.
    ///   - port: where to listen; by default any free port.
    ///   - maximumStreams: how many requests it lets a connection have under way; APNs names 1000.
    ///   - isVerifyingClients: whether it turns away clients that show no certificate of `authority`.
    /// - Returns: the running server.
    /// - Throws: what kept it from listening.
    public static func start(
        authority: TestAuthority? = nil,
        port: UInt16 = 0,
        maximumStreams: Int = 1000,
        isVerifyingClients: Bool = false
    ) async throws -> APNsServer {
        let authority = try authority ?? TestAuthority()
        let ledger = Ledger()
        let context = try tlsContext(authority, isVerifyingClients)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try configure(channel, context, ledger, maximumStreams)
                }
            }
            .bind(host: "127.0.0.1", port: Int(port))
            .get()
        return APNsServer(authority, ledger, listener)
    }

    private init(_ authority: TestAuthority, _ ledger: Ledger, _ listener: any Channel) {
        self.authority = authority
        self.ledger = ledger
        self.listener = listener
        port = UInt16(listener.localAddress?.port ?? 0)
    }

    /// The server's address: `https://127.0.0.1:port`.
    public var url: String { "https://127.0.0.1:\(port)" }

    /// Every push so far, in the order in which they came.
    public var pushes: [ReceivedPush] { ledger.pushes }

    /// How many connections there have been.
    public var connectionCount: Int { ledger.connectionCount }

    /// Answers pushes to a device: each of `answers` once, the last one from then on.
    public func answer(_ deviceToken: String, with answers: ScriptedAnswer...) {
        ledger.set(answers, for: deviceToken)
    }

    /// Answers the next pushes to devices that have no answers of their own.
    public func queue(_ answers: ScriptedAnswer...) {
        ledger.queue(answers)
    }

    /// Waits until there have been so many pushes, or the task is cancelled, and returns all that there are.
    public func pushes(atLeast count: Int) async -> [ReceivedPush] {
        await ledger.waitForPushes(count)
        return ledger.pushes
    }

    /// Ends all connections without a word in TLS or HTTP/2.
    public func cutConnections() async {
        for (_, channel) in ledger.openConnections {
            channel.eventLoop.execute { Self.cut(channel) }
            _ = try? await channel.closeFuture.get()
        }
    }

    /// Says on all connections that they are about to end (RFC 9113 § 6.8): what has arrived is still answered, later requests are not.
    ///
    /// - Parameter isAbandoning: whether what has arrived is given up, too.
    /// - Throws: when a connection ended meanwhile.
    public func sendGoAway(isAbandoning: Bool = false) async throws {
        for (number, channel) in ledger.openConnections {
            try await channel.eventLoop.flatSubmit { [ledger] in
                // A client's streams have the odd numbers from 1 on.
                let count = isAbandoning ? 0 : ledger.streamCount(of: number)
                let lastStream = count == 0 ? HTTP2StreamID.rootStream : HTTP2StreamID(2 * count - 1)
                let frame = HTTP2Frame(
                    streamID: .rootStream,
                    payload: .goAway(lastStreamID: lastStream, errorCode: .noError, opaqueData: nil)
                )
                return channel.writeAndFlush(frame)
            }.get()
        }
    }

    /// Stops listening and ends all connections.
    public func stop() async {
        try? await listener.close()
        await cutConnections()
    }

    /// Closes the socket under TLS and HTTP/2. Call it on the connection's event loop.
    static func cut(_ connection: any Channel) {
        let tls = try? connection.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
        tls?.close(promise: nil)
    }
}
