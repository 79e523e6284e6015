internal import Synchronization
internal import TestServers

/// A mock of APNs: an HTTP/2 server on 127.0.0.1, with a TLS certificate of the test's own authority.
///
/// The server accepts every push unless configured otherwise, and records each one. It stops when the value is
/// released.
public final class APNsServer: Sendable {
    /// The issuer of the server's certificate.
    public let authority: TestAuthority
    private let ledger: Ledger
    private let server: StandInServer

    /// Starts a server and returns when it is listening.
    ///
    /// - Parameters:
    ///   - authority: the issuer of the server's certificate; by default a new one.
    ///   - port: the port; by default any free port.
    ///   - maximumStreams: the maximum number of concurrent requests per connection; APNs announces 1000.
    ///   - isVerifyingClients: whether it rejects clients without a certificate issued by `authority`.
    /// - Returns: the running server.
    /// - Throws: the error if the server cannot listen.
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

    /// All pushes so far, in order of arrival.
    public var pushes: [ReceivedPush] { ledger.state.withLock { $0.pushes } }

    /// The number of connections so far.
    public var connectionCount: Int { ledger.state.withLock { $0.connectionCount } }

    /// Sets the responses to pushes to a device: each of `answers` once, then the last one repeatedly.
    public func answer(_ deviceToken: String, with answers: ScriptedAnswer...) {
        ledger.state.withLock { $0.answers[deviceToken] = answers }
    }

    /// Queues responses to the next pushes to devices without their own responses.
    public func queue(_ answers: ScriptedAnswer...) {
        ledger.state.withLock { $0.queue += answers }
    }

    /// Waits until there are at least `count` pushes or the task is cancelled, and returns all pushes.
    public func pushes(atLeast count: Int) async -> [ReceivedPush] {
        _ = await waitUntil(within: .seconds(3600)) { ledger.state.withLock { $0.pushes.count >= count } }
        return pushes
    }

    /// Closes all connections without a TLS or HTTP/2 shutdown.
    public func cutConnections() async { try? await server.cutConnections() }

    /// Sends GOAWAY on all connections (RFC 9113 § 6.8): requests that have arrived are still answered, later ones are
    /// not.
    ///
    /// - Parameter isAbandoning: whether requests that have arrived are abandoned as well.
    /// - Throws: `ServerFailure`, if the server has stopped.
    public func sendGoAway(isAbandoning: Bool = false) async throws {
        try await server.sendGoAway(isAbandoning: isAbandoning)
    }

    /// Stops listening and closes all connections.
    public func stop() async { try? await server.stop() }
}
