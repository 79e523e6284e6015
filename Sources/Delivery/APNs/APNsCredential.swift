internal import Cryptography
public import Encodings
internal import OutgoingHTTP

/// The credential that authenticates the app's owner to APNs.
public enum APNsCredential: Hashable, Sendable, Confidential {
    /// A token signed with the team's key: valid for all of the team's apps, and in both environments unless the key is
    /// restricted.
    case providerToken(ProviderTokenKey)
    /// A TLS client certificate: valid for one app.
    case clientCertificate(ClientCertificate)

    /// Creates a credential from the text of a team's key (`.p8` file).
    /// - Throws: ``APNsCredentialError``
    public static func providerToken(
        keyID: String,
        teamID: String,
        privateKey: String
    ) throws(APNsCredentialError) -> APNsCredential {
        .providerToken(try ProviderTokenKey(keyID: keyID, teamID: teamID, privateKey: privateKey))
    }

    /// Creates a credential from a certificate chain and its key in PEM.
    /// - Throws: ``APNsCredentialError``
    public static func clientCertificate(
        chain: String,
        privateKey: String
    ) throws(APNsCredentialError) -> APNsCredential {
        .clientCertificate(try ClientCertificate(chain: chain, privateKey: privateKey))
    }
}

/// A team's key for APNs: Apple's `.p8` file with its key id and team id.
///
/// Two keys are equal if their ids and key material are equal.
public struct ProviderTokenKey: Sendable, Confidential {
    /// The token header's `kid`: ten letters and digits.
    public let keyID: String
    /// The token's `iss`: ten letters and digits.
    public let teamID: String
    private let privateKey: P256PrivateKey
    private let encodedHeader: [UInt8]

    /// Reads a key.
    ///
    /// - Parameters:
    ///   - keyID: the key id, as Apple's list of keys shows it.
    ///   - teamID: the team id, as Apple's membership page shows it.
    ///   - privateKey: the text of the `.p8` file: PKCS #8 in PEM.
    /// - Throws: ``APNsCredentialError``
    public init(keyID: String, teamID: String, privateKey: String) throws(APNsCredentialError) {
        guard Self.isAppleID(keyID) else { throw .malformedKeyID }
        guard Self.isAppleID(teamID) else { throw .malformedTeamID }
        guard let privateKey = P256PrivateKey(pem: privateKey) else { throw .unreadableSigningKey }
        self.privateKey = privateKey
        self.keyID = keyID
        self.teamID = teamID
        encodedHeader = Base64URL.encode(
            JSONWriter.object { json in
                json.member("alg", "ES256")
                json.member("kid", keyID)
            }
        )
    }

    private static func isAppleID(_ text: String) -> Bool {
        text.utf8.count == 10 && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// Returns a new token: a JWS with ECDSA over P-256 and SHA-256 (RFC 7518 § 3.4), with only the two claims that
    /// APNs reads.
    func token(at now: Instant) throws(SigningFailure) -> ProviderToken {
        let claims = JSONWriter.object { json in
            json.member("iss", teamID)
            json.member("iat", now.seconds)
        }
        var token = encodedHeader + [UInt8(ascii: ".")] + Base64URL.encode(claims)
        do {
            let signature = try privateKey.signature(for: token)
            token.append(UInt8(ascii: "."))
            token.append(contentsOf: Base64URL.encode(signature))
        } catch {
            throw SigningFailure()
        }
        return ProviderToken(encoded: String(decoding: token, as: UTF8.self), issuedAt: now)
    }
}

extension ProviderTokenKey: Hashable {
    /// Returns whether the ids and the key material are equal.
    public static func == (left: ProviderTokenKey, right: ProviderTokenKey) -> Bool {
        left.keyID == right.keyID && left.teamID == right.teamID
            && left.privateKey.publicKey.point == right.privateKey.publicKey.point
    }

    /// Hashes the ids, which distinguish almost all keys.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(keyID)
        hasher.combine(teamID)
    }
}

/// A signed token that authenticates the team to APNs; valid for an hour from its `iat`.
struct ProviderToken: Equatable, Sendable, Confidential {
    /// The compact JWS.
    let encoded: String
    let issuedAt: Instant
}

/// An app's TLS client certificate for APNs, the older kind of authentication. It needs no provider token.
public struct ClientCertificate: Hashable, Sendable, Confidential {
    /// The expiry of the certificate. APNs rejects it from then on.
    public let expiresAt: Instant
    let identity: TLSIdentity

    /// Reads a certificate.
    ///
    /// - Parameters:
    ///   - chain: PEM; the app's own certificate first, then its issuers'.
    ///   - privateKey: PEM, unencrypted.
    /// - Throws: ``APNsCredentialError``
    public init(chain: String, privateKey: String) throws(APNsCredentialError) {
        guard let certificates = CertificateChain(pem: chain) else { throw .unreadableCertificate }
        guard let isMatch = certificates.matches(privateKey: privateKey) else { throw .unreadablePrivateKey }
        guard isMatch else { throw .privateKeyOfAnotherCertificate }
        expiresAt = certificates.expiresAt
        identity = TLSIdentity(certificates: certificates.pem, privateKey: privateKey)
    }
}

/// The reason why a key or a certificate cannot be used with APNs. The description never contains a key.
public enum APNsCredentialError: Error, Equatable, CustomStringConvertible {
    case malformedKeyID
    case malformedTeamID
    case unreadableSigningKey
    case unreadableCertificate
    case unreadablePrivateKey
    case privateKeyOfAnotherCertificate

    /// One line for the operator.
    public var description: String {
        switch self {
        case .malformedKeyID: "the key id is not ten letters and digits"
        case .malformedTeamID: "the team id is not ten letters and digits"
        case .unreadableSigningKey: "the signing key is not a P-256 private key in PEM, the format of Apple's .p8 files"
        case .unreadableCertificate: "the client certificate is not a PEM certificate chain"
        case .unreadablePrivateKey: "the client certificate's private key is not an unencrypted PEM key"
        case .privateKeyOfAnotherCertificate: "the private key does not belong to the client certificate"
        }
    }
}

/// Signing failed; the cryptographic library reports no reason.
struct SigningFailure: Error {}
