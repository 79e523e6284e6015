public import Encodings
internal import NIOSSL
public import PhoneAuth

/// An app's TLS client certificate for APNs, the older way to say who pushes. It takes no provider token.
public struct ClientCertificate: Hashable, Sendable, Confidential {
    /// The moment from which on APNs does not take it any more.
    public let expiresAt: Instant
    let chain: [NIOSSLCertificate]
    let privateKey: NIOSSLPrivateKey

    /// Reads a certificate.
    ///
    /// - Parameters:
    ///   - chain: PEM; the app's own certificate first, then those that signed it.
    ///   - privateKey: PEM, unencrypted.
    /// - Throws: ``APNsCredentialError``
    public init(chain: String, privateKey: String) throws(APNsCredentialError) {
        do {
            self.chain = try NIOSSLCertificate.fromPEMBytes(Array(chain.utf8))
        } catch {
            throw .unreadableCertificate
        }
        guard let own = self.chain.first else { throw .unreadableCertificate }
        expiresAt = Instant(milliseconds: Int64(own.notValidAfter) * 1000)
        do {
            self.privateKey = try NIOSSLPrivateKey(bytes: Array(privateKey.utf8), format: .pem)
        } catch {
            throw .unreadablePrivateKey
        }
        // The library compares key and certificate when it makes a context of both; without this the first push would tell.
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateChain = self.chain.map { .certificate($0) }
        configuration.privateKey = .privateKey(self.privateKey)
        do {
            _ = try NIOSSLContext(configuration: configuration)
        } catch {
            throw .privateKeyOfAnotherCertificate
        }
    }
}
