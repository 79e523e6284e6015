public import Cryptography
public import Encodings

/// Creates Play Integrity tokens as Google does, with its own keys: a JWE (A256KW, A256GCM) around a JWS (ES256).
public struct IntegrityTokens: Sendable {
    /// The package name of the app in tokens.
    public static let packageName = "com.example.app"
    /// The SHA-256 digest of the certificate of the app in tokens.
    public static let certificateDigest = [UInt8](repeating: 0x4F, count: 32)

    /// The key that wraps content keys.
    public let decryptionKey: [UInt8]
    /// The key that signs.
    public let signingKey: P256PrivateKey

    /// Creates new keys.
    public init() throws {
        var random = SystemRandomNumberGenerator()
        decryptionKey = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
        signingKey = try P256PrivateKey.generate()
    }

    /// Returns the file of the app's response keys.
    public func keyFile() throws -> String {
        let verification = Base64.encode(try signingKey.publicKey.der())
        return "DECRYPTION_KEY=\(Base64.encode(decryptionKey))\nVERIFICATION_KEY=\(verification)\n"
    }

    /// Returns the payload for a genuine app on a genuine device that requests a message for `subject`.
    public static func payload(for subject: String, at milliseconds: Int64) -> JSONObject {
        let nonce = Base64URL.string(SHA256.hash(Array(subject.utf8)))
        let text = """
            {"requestDetails":{"requestPackageName":"\(packageName)","timestampMillis":"\(milliseconds)",\
            "nonce":"\(nonce)"},"appIntegrity":{"appRecognitionVerdict":"PLAY_RECOGNIZED",\
            "packageName":"\(packageName)","certificateSha256Digest":["\(Base64URL.string(certificateDigest))"],\
            "versionCode":"42"},"deviceIntegrity":{"deviceRecognitionVerdict":["MEETS_BASIC_INTEGRITY",\
            "MEETS_DEVICE_INTEGRITY"]},"accountDetails":{"appLicensingVerdict":"UNLICENSED"}}
            """
        guard case .object(let payload)? = try? JSONValue.parse(Array(text.utf8)) else { return JSONObject() }
        return payload
    }

    /// Creates a token.
    public func token(_ payload: JSONObject) throws -> String { try token(payload.text) }

    /// Creates a token with any content, and with other headers than Google's if given.
    public func token(
        _ payload: String,
        signedHeader: String = #"{"alg":"ES256"}"#,
        signature: ((_ signed: [UInt8]) throws -> [UInt8])? = nil,
        header: String = #"{"alg":"A256KW","enc":"A256GCM"}"#
    ) throws -> String {
        let signed = Base64URL.encode(signedHeader.utf8) + Array(".".utf8) + Base64URL.encode(payload.utf8)
        let bytes = try signature?(signed) ?? signingKey.signature(for: signed)
        return try sealed(signed + Array(".".utf8) + Base64URL.encode(bytes), header: header)
    }

    /// Encrypts a content as Google encrypts the signed payload.
    public func sealed(
        _ content: [UInt8],
        header: String = #"{"alg":"A256KW","enc":"A256GCM"}"#
    ) throws -> String {
        var random = SystemRandomNumberGenerator()
        func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) } }
        let (contentKey, nonce) = (bytes(32), bytes(12))
        guard let wrapping = AES256KeyWrap(key: decryptionKey), let cipher = AES256GCM(key: contentKey) else {
            throw CryptographyFailure()
        }
        let encodedHeader = Base64URL.encode(header.utf8)
        let sealed = try cipher.seal(content, nonce: nonce, authenticating: encodedHeader)
        let parts = [
            try wrapping.wrap(contentKey), nonce, Array(sealed.dropLast(16)), Array(sealed.suffix(16)),
        ]
        return ([String(decoding: encodedHeader, as: UTF8.self)] + parts.map { Base64URL.string($0) })
            .joined(separator: ".")
    }
}

extension JSONObject {
    /// The object as JSON text.
    public var text: String {
        let bytes = JSONWriter.object { json in for (name, value) in members { json.member(name, value) } }
        return String(decoding: bytes, as: UTF8.self)
    }
}
