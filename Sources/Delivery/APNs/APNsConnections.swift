internal import AsyncHTTPClient
internal import NIOCore
internal import NIOSSL
internal import PhoneAuth
internal import Synchronization

/// The connections of an ``APNsClient``, one for each credential and server.
final class APNsConnections: Sendable {
    /// Shorter than the 350 seconds after which common network gateways forget a connection without telling either end.
    private static let maximumIdleSeconds: Int64 = 300

    private let trustRoots: NIOSSLTrustRoots
    private let deadline: Duration
    private let maximumRequests: Int
    /// Nil once closed.
    private let opened: Mutex<[APNsConnection.Purpose: APNsConnection]?> = Mutex([:])

    init(_ configuration: APNsConfiguration) throws(APNsConfigurationError) {
        switch configuration.trustRoots {
        case .system:
            trustRoots = .default
        case .certificates(let pem):
            guard let certificates = try? NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)), !certificates.isEmpty else {
                throw .unreadableTrustRoots
            }
            trustRoots = .certificates(certificates)
        }
        deadline = configuration.requestDeadline
        maximumRequests = configuration.maximumRequestsPerConnection
    }

    /// The connection for `purpose`, the same one each time; nil once closed.
    func connection(for purpose: APNsConnection.Purpose) -> APNsConnection? {
        opened.withLock { opened in
            guard opened != nil else { return nil }
            if let connection = opened?[purpose] { return connection }
            let connection = APNsConnection(
                configuration: httpConfiguration(for: purpose),
                deadline: deadline,
                maximumRequests: maximumRequests
            )
            opened?[purpose] = connection
            return connection
        }
    }

    /// Closes all connections for good; requests under way fail.
    func close() async {
        let connections = opened.withLock { opened in
            defer { opened = nil }
            return opened?.values.map { $0 } ?? []
        }
        for connection in connections { await connection.close() }
    }

    private func httpConfiguration(for purpose: APNsConnection.Purpose) -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.trustRoots = trustRoots
        if case .clientCertificate(let certificate, _) = purpose {
            tls.certificateChain = certificate.chain.map { .certificate($0) }
            tls.privateKey = .privateKey(certificate.privateKey)
        }
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        configuration.timeout.connect = .milliseconds(deadline.milliseconds)
        configuration.connectionPool.idleTimeout = .seconds(Self.maximumIdleSeconds)
        // Who tries again, and when, is for the caller to say.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }
}
