public import Encodings

/// A JWT in compact serialization, parsed but not verified (RFC 7515 § 3.1, RFC 7519 § 7.2).
public struct CompactJWT: Sendable, Confidential {
    /// The maximum length of a token: more than the claims of any account need.
    static let maximumByteCount = 16_384

    /// The protected header.
    public let header: JSONObject
    /// The claims.
    public let claims: JSONObject
    private let signed: [UInt8]
    /// The signature; nil if it is not base64url, as in the emulator's unsigned tokens.
    private let signature: [UInt8]?

    /// Parses a JWT; nil if the text is not a JWT.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.maximumByteCount, parts.count == 3, let header = Self.object(parts[0]),
            let claims = Self.object(parts[1])
        else { return nil }
        self.header = header
        self.claims = claims
        signed = Array(text.utf8.prefix(parts[0].count + 1 + parts[1].count))
        signature = Base64URL.decode(parts[2])
    }

    /// The claims as they were signed: base64url of JSON.
    var encodedClaims: String {
        String(decoding: signed.drop { $0 != UInt8(ascii: ".") }.dropFirst(), as: UTF8.self)
    }

    /// The id of the signing key; nil if it is missing.
    public var keyID: String? { header["kid"]?.text }

    /// Returns a string claim; nil if it is missing or empty.
    func text(_ name: String) -> String? {
        guard let text = claims[name]?.text, !text.isEmpty else { return nil }
        return text
    }

    /// Returns a time claim, in seconds since the Unix epoch.
    func seconds(_ name: String) -> Int64? {
        guard case .number(let text) = claims[name], let seconds = Int64(wholeNumber: text),
            (0..<1 << 40).contains(seconds)
        else { return nil }
        return seconds
    }

    /// Returns whether this key signed the token, with the algorithm pinned to RS256.
    func isSigned(by key: SigningKey) -> Bool {
        isSigned("RS256") { key.isValid($0, for: $1) }
    }

    /// Returns whether the token has this algorithm and a signature that `isValid` accepts. The caller pins the
    /// algorithm (RFC 8725 § 3.1), which prevents algorithm confusion.
    public func isSigned(
        _ algorithm: String,
        _ isValid: (_ signature: [UInt8], _ signed: [UInt8]) -> Bool
    ) -> Bool {
        guard header["alg"] == .string(algorithm), let signature else { return false }
        return isValid(signature, signed)
    }

    private static func object(_ part: Substring.UTF8View) -> JSONObject? {
        Base64URL.decode(part).flatMap { JSONObject(parsing: $0) }
    }
}
