internal import Encodings

/// A JWT in its compact form, taken apart and not yet checked (RFC 7515 § 3.1, RFC 7519 § 7.2).
struct CompactJWT: Sendable, Confidential {
    /// More than the claims of one account can take.
    static let maximumByteCount = 16_384

    let header: JSONObject
    let claims: JSONObject
    private let signed: [UInt8]
    /// Nil where it is no base64url: unsigned tokens of the emulator have such ones.
    private let signature: [UInt8]?

    /// Nil where a text is no JWT.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.maximumByteCount, parts.count == 3, let header = Self.object(parts[0]),
            let claims = Self.object(parts[1])
        else { return nil }
        self.header = header
        self.claims = claims
        signed = Array(text.utf8.prefix(parts[0].count + 1 + parts[1].count))
        signature = Base64URL.decode(parts[2])
    }

    /// A claim that is a text, and not empty.
    func text(_ name: String) -> String? {
        guard case .string(let text) = claims[name], !text.isEmpty else { return nil }
        return text
    }

    /// A claim that is a time, in seconds since the Unix epoch.
    func seconds(_ name: String) -> Int64? {
        guard case .number(let text) = claims[name], let seconds = Int64(text), seconds >= 0, seconds < 1 << 40 else {
            return nil
        }
        return seconds
    }

    /// Whether this key signed it, with RS256 pinned as RFC 8725 § 3.1 asks.
    func isSigned(by key: SigningKey) -> Bool {
        guard isRS256, let signature else { return false }
        return key.isValid(signature, for: signed)
    }

    /// Whether this service account signed it, with RS256 pinned.
    func isSigned(by account: ServiceAccount) -> Bool {
        guard isRS256, let signature else { return false }
        return account.isValid(signature, for: signed)
    }

    private var isRS256: Bool { header["alg"] == .string("RS256") }

    private static func object(_ part: Substring.UTF8View) -> JSONObject? {
        guard let bytes = Base64URL.decode(part), case .object(let object) = try? JSONValue.parse(bytes) else {
            return nil
        }
        return object
    }
}
