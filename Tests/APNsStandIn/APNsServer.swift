internal import Synchronization

/// An HTTP/2 server on 127.0.0.1, with TLS under a test's own authority, that stands in for APNs.
///
/// It takes every push unless told otherwise, and remembers each of them. It ends with the value.
public final class APNsServer: Sendable {
    /// Who signed the server's certificate.
    public let authority: TestAuthority
    private let ledger: Ledger
    private let server: StandInServer

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
        let server = try await StandInServer(
            .http2,
            port: port,
            authority: authority,
            clients: isVerifyingClients ? .required : .optional,
            maximumStreams: maximumStreams,
            handler: ledger.record
        )
        return APNsServer(authority, ledger, server)
    }

    private init(_ authority: TestAuthority, _ ledger: Ledger, _ server: StandInServer) {
        self.authority = authority
        self.ledger = ledger
        self.server = server
    }

    /// The TCP port on 127.0.0.1.
    public var port: UInt16 { server.port }

    /// The server's address: `https://127.0.0.1:port`.
    public var url: String { "https://127.0.0.1:\(port)" }

    /// Every push so far, in the order in which they came.
    public var pushes: [ReceivedPush] { ledger.state.withLock { $0.pushes } }

    /// How many connections there have been.
    public var connectionCount: Int { ledger.state.withLock { $0.connectionCount } }

    /// Answers pushes to a device: each of `answers` once, the last one from then on.
    public func answer(_ deviceToken: String, with answers: ScriptedAnswer...) {
        ledger.state.withLock { $0.answers[deviceToken] = answers }
    }

    /// Answers the next pushes to devices that have no answers of their own.
    public func queue(_ answers: ScriptedAnswer...) {
        ledger.state.withLock { $0.queue += answers }
    }

    /// Waits until there have been so many pushes, or the task is cancelled, and returns all that there are.
    public func pushes(atLeast count: Int) async -> [ReceivedPush] {
        while !Task.isCancelled, ledger.state.withLock({ $0.pushes.count < count }) {
            try? await Task.sleep(for: .milliseconds(2))
        }
        return pushes
    }

    /// Ends all connections without a word in TLS or HTTP/2.
    public func cutConnections() async { try? await server.cutConnections() }

    /// Sends GOAWAY on all connections (RFC 9113 § 6.8): what has arrived is still answered, later requests are not.
    ///
    /// - Parameter isAbandoning: whether what has arrived is given up, too.
    /// - Throws: `ServerFailure`, if the server has stopped.
    public func sendGoAway(isAbandoning: Bool = false) async throws {
        try await server.sendGoAway(isAbandoning: isAbandoning)
    }

    /// Stops listening and ends all connections.
    public func stop() async { try? await server.stop() }
}
