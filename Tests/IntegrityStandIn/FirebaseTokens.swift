public import Cryptography
public import Encodings

/// Issues ID tokens as Google does for a Firebase project, with its own keys.
public struct FirebaseTokens: Sendable {
    /// The id of the Firebase project.
    public static let project = "old-project"

    /// A signing key with its certificate.
    public struct SigningKey: Sendable {
        /// The key's id.
        public let id: String
        /// The private key.
        public let key: RSAPrivateKey
        let certificate: String
    }

    /// The published keys; the last one signs.
    public private(set) var keys: [SigningKey] = []

    /// Creates the first key.
    public init() throws { try rotate() }

    /// Adds a key, which signs from now on, and keeps only the one before it.
    public mutating func rotate() throws {
        let key = try RSAPrivateKey.generate()
        let certificate = try Certificate(
            subject: "securetoken.system.gserviceaccount.com",
            key: .rsa(key),
            validity: 0...4_000_000_000,
            serialNumber: [1],
            extensions: []
        )
        let id = Base64URL.string(SHA256.hash(try key.publicKey.der()).prefix(12))
        keys = keys.suffix(1) + [SigningKey(id: id, key: key, certificate: certificate.pem)]
    }

    /// The published keys as JSON: certificates by key id.
    public var published: String {
        let bytes = JSONWriter.object { json in for key in keys { json.member(key.id, key.certificate) } }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the claims of an ID token that is issued at a time, in seconds, for a user who signed in before.
    public static func claims(
        of uid: String,
        at now: Int64,
        signedInAt authTime: Int64,
        provider: String = "phone"
    ) -> JSONObject {
        let text = """
            {"iss":"https://securetoken.google.com/\(project)","aud":"\(project)","auth_time":\(authTime),\
            "user_id":"\(uid)","sub":"\(uid)","iat":\(now),"exp":\(now + 3600),\
            "firebase":{"identities":{},"sign_in_provider":"\(provider)"}}
            """
        guard case .object(let claims)? = try? JSONValue.parse(Array(text.utf8)) else { return JSONObject() }
        return claims
    }

    /// Returns an ID token, signed by the last key unless `sign` signs it.
    public func idToken(
        _ claims: JSONObject,
        algorithm: String = "RS256",
        keyID: String? = nil,
        sign: ((_ signed: [UInt8]) throws -> [UInt8])? = nil
    ) throws -> String {
        guard let last = keys.last else { throw CryptographyFailure() }
        let header = #"{"alg":"\#(algorithm)","kid":"\#(keyID ?? last.id)","typ":"JWT"}"#
        let signed = Base64URL.encode(header.utf8) + Array(".".utf8) + Base64URL.encode(claims.text.utf8)
        let signature = try sign?(signed) ?? last.key.signature(for: signed)
        return String(decoding: signed, as: UTF8.self) + "." + Base64URL.string(signature)
    }

    /// Returns Google's response to a refresh token.
    public static func answer(idToken: String, refreshToken: String = "r") -> String {
        """
        {"access_token":"\(idToken)","expires_in":"3600","token_type":"Bearer","refresh_token":"\(refreshToken)",\
        "id_token":"\(idToken)","user_id":"u","project_id":"123456789012"}
        """
    }
}
