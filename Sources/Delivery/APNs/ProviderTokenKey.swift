internal import Cryptography
public import Encodings
internal import PhoneAuth

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
