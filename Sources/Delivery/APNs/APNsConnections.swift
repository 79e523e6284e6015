internal import OutgoingHTTP
internal import Synchronization

/// The connections of an ``APNsClient``, one for each credential and server.
final class APNsConnections: Sendable {
    /// Less than the 350 seconds after which common NAT gateways drop an idle connection silently.
    private static let maximumIdleTime: Duration = .seconds(300)

    /// The configuration of all connections.
    private let common: HTTPClientConfiguration
    private let deadline: Duration
    /// Nil once closed.
    private let opened: Mutex<[APNsConnection.Purpose: APNsConnection]?> = Mutex([:])

    init(_ configuration: APNsConfiguration) throws(APNsConfigurationError) {
        var common: HTTPClientConfiguration
        do {
            common = try HTTPClientConfiguration(trusting: configuration.trustRoots)
        } catch {
            throw .unreadableTrustRoots
        }
        common.version = .http2
        common.proxy = configuration.proxy
        common.connectDeadline = configuration.requestDeadline
        common.maximumIdleTime = Self.maximumIdleTime
        self.common = common
        deadline = configuration.requestDeadline
    }

    /// Returns the connection for `purpose`, always the same one; nil after ``close()``.
    func connection(for purpose: APNsConnection.Purpose) -> APNsConnection? {
        opened.withLock { opened in
            guard opened != nil else { return nil }
            if let connection = opened?[purpose] { return connection }
            let connection = APNsConnection(
                configuration: httpConfiguration(for: purpose),
                deadline: deadline
            )
            opened?[purpose] = connection
            return connection
        }
    }

    /// Closes all connections permanently; requests in progress fail.
    func close() async {
        let connections = opened.withLock { opened in
            defer { opened = nil }
            return opened?.values.map { $0 } ?? []
        }
        for connection in connections { await connection.close() }
    }

    private func httpConfiguration(for purpose: APNsConnection.Purpose) -> HTTPClientConfiguration {
        var configuration = common
        if case .clientCertificate(let certificate, _) = purpose { configuration.identity = certificate.identity }
        return configuration
    }
}
