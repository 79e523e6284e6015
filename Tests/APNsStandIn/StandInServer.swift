internal import Encodings
internal import TestServers

/// A server in the stand-in process. It ends with the value.
package final class StandInServer: Sendable {
    /// Which HTTP a server speaks.
    package enum Version: String, Sendable {
        case http1 = "http/1.1"
        case http2 = "h2"
    }

    /// Which client certificates a server asks for.
    package enum ClientCertificates: String, Sendable {
        case none = "CERT_NONE"
        case optional = "CERT_OPTIONAL"
        case required = "CERT_REQUIRED"
    }

    /// The TCP port.
    package let port: UInt16
    private let process: StandInProcess
    private let number: Int

    /// Starts a server and returns when it listens.
    ///
    /// - Parameters:
    ///   - version: what it speaks.
    ///   - host: an IPv4 address of this machine.
    ///   - port: where to listen; 0 for any free port.
    ///   - authority: who signs its certificate, and those of its clients; nil for a server without TLS.
    ///   - clients: which clients' certificates it asks for.
    ///   - maximumStreams: how many HTTP/2 requests it lets a connection have in progress.
    ///   - tickets: how many TLS session tickets each client gets.
    ///   - handler: records what the process reports, and says what to do with a request; nothing, if it returns nil.
    ///     A client has no answer before this has returned.
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

    /// Ends all connections, without a word in TLS or HTTP/2, and returns when they have ended.
    package func cutConnections() async throws { try await process.call("cut", number) }

    /// Sends GOAWAY on all connections (HTTP/2 only).
    ///
    /// - Parameter isAbandoning: whether requests that have arrived are given up, too.
    /// - Throws: `ServerFailure`, if the server has stopped.
    package func sendGoAway(isAbandoning: Bool) async throws {
        try await process.call("go_away", number, ["isAbandoning": .bool(isAbandoning)])
    }

    /// Stops listening and ends all connections.
    package func stop() async throws { try await process.call("stop", number) }
}
