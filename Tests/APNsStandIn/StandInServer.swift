internal import Encodings
internal import TestServers

/// A server in the stand-in process. It stops when the value is released.
package final class StandInServer: Sendable {
    /// The HTTP version of a server.
    package enum Version: String, Sendable {
        case http1 = "http/1.1"
        case http2 = "h2"
    }

    /// A server's policy for client certificates.
    package enum ClientCertificates: String, Sendable {
        case none = "CERT_NONE"
        case optional = "CERT_OPTIONAL"
        case required = "CERT_REQUIRED"
    }

    /// The TCP port.
    package let port: UInt16
    private let process: StandInProcess
    private let number: Int

    /// Starts a server and returns when it is listening.
    ///
    /// - Parameters:
    ///   - version: the HTTP version.
    ///   - host: an IPv4 address of this machine.
    ///   - port: the port; 0 for any free port.
    ///   - authority: the issuer of the server's and its clients' certificates; nil for a server without TLS.
    ///   - clients: the policy for client certificates.
    ///   - maximumStreams: the maximum number of concurrent HTTP/2 requests per connection.
    ///   - tickets: the number of TLS session tickets for each client.
    ///   - handler: records the process's reports, and returns the reaction to a request; nil for none. No response is
    ///     sent before `handler` has returned.
    /// - Throws: `ServerFailure`
    package init(
        _ version: Version,
        host: String = "127.0.0.1",
        port: UInt16 = 0,
        authority: TestAuthority?,
        clients: ClientCertificates = .none,
        maximumStreams: Int = 1000,
        tickets: Int = 2,
        handler: @escaping @Sendable (StandInReport) -> StandInAnswer?
    ) async throws {
        process = try .shared()
        number = process.register(handler)
        let identity = try authority?.serverIdentity()
        let result = try await process.call(
            "listen",
            number,
            [
                "protocol": .string(version.rawValue),
                "host": .string(host),
                "port": .number("\(port)"),
                "maximumStreams": .number("\(maximumStreams)"),
                "identity": .string(identity.map { $0.certificate + $0.privateKey } ?? ""),
                "authority": .string(authority?.certificatePEM ?? ""),
                "clients": .string(clients.rawValue),
                "tickets": .number("\(tickets)"),
            ]
        )
        guard let port = result.integer("port").flatMap(UInt16.init(exactly:)) else {
            throw ServerFailure(description: "stand_in.py listens nowhere")
        }
        self.port = port
    }

    deinit { process.release(number) }

    /// Closes all connections without a TLS or HTTP/2 shutdown, and returns when they are closed.
    package func cutConnections() async throws { try await process.call("cut", number) }

    /// Sends GOAWAY on all connections (HTTP/2 only).
    ///
    /// - Parameter isAbandoning: whether requests that have arrived are abandoned as well.
    /// - Throws: `ServerFailure`, if the server has stopped.
    package func sendGoAway(isAbandoning: Bool) async throws {
        try await process.call("go_away", number, ["isAbandoning": .bool(isAbandoning)])
    }

    /// Stops listening and closes all connections.
    package func stop() async throws { try await process.call("stop", number) }
}
