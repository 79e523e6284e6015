internal import Encodings

/// An ID token that one of our keys signed, for this project, and whose time is not up. The account may have ended since.
struct VerifiedIDToken: Sendable {
    let uid: String
    /// Seconds.
    let issuedAt: Int64
    /// Seconds.
    let authTime: Int64
    let provider: SignInProvider

    /// More than the claims of one account can take.
    private static let maximumByteCount = 16_384

    /// Checks a token's text (RFC 7519 § 7.2, with the algorithm pinned as RFC 8725 § 3.1 asks); nil where anything is wrong.
    init?(_ text: String, in project: Project, _ keys: ServerKeys, _ policy: Policy, at now: Instant) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.maximumByteCount, parts.count == 3,
            let header = Self.object(parts[0]), header["alg"] == .string("RS256"),
            case .string(let keyID) = header["kid"], let key = keys.signingKey(keyID),
            let signature = Base64URL.decode(parts[2]),
            key.isValid(signature, for: text.utf8.prefix(parts[0].count + 1 + parts[1].count)),
            let claims = Self.object(parts[1]),
            claims["iss"] == .string(policy.issuerPrefix + project.id),
            claims["aud"] == .string(project.id),
            case .string(let uid) = claims["sub"], !uid.isEmpty,
            let expiresAt = Self.seconds(claims["exp"]), now.seconds < expiresAt,
            let issuedAt = Self.seconds(claims["iat"]), let authTime = Self.seconds(claims["auth_time"]),
            case .object(let firebase) = claims["firebase"], case .string(let name) = firebase["sign_in_provider"],
            let provider = SignInProvider(rawValue: name)
        else { return nil }
        self.uid = uid
        self.issuedAt = issuedAt
        self.authTime = authTime
        self.provider = provider
    }

    private static func object(_ part: Substring.UTF8View) -> JSONObject? {
        guard let bytes = Base64URL.decode(part), case .object(let object) = try? JSONValue.parse(bytes) else {
            return nil
        }
        return object
    }

    private static func seconds(_ value: JSONValue?) -> Int64? {
        guard case .number(let text) = value else { return nil }
        return Int64(text)
    }
}
