internal import Encodings

/// An access token granted for a service account's assertion, valid for an hour: `dts_`, then base64url of its content
/// and of an authenticator under the server key. Stateless: the server stores nothing. Its access is that of the
/// service account when the token is used.
struct AdminAccessToken: Sendable, Confidential {
    /// The lifetime of an access token that was granted to a service account.
    static let lifetime: Duration = .seconds(3600)

    private static let prefix = "dts_"
    private static let maximumByteCount = 1024

    /// The service account's ``ServiceAccount/mark``.
    let mark: String
    /// Seconds since the Unix epoch.
    let expiresAt: Int64

    init(mark: String, expiresAt: Int64) {
        self.mark = mark
        self.expiresAt = expiresAt
    }

    /// Reads a token's text; nil if this deployment did not make it.
    init?(_ text: String, _ keys: ServerKeys) {
        let parts = text.utf8.dropFirst(Self.prefix.utf8.count)
            .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.hasPrefix(Self.prefix), text.utf8.count <= Self.maximumByteCount, parts.count == 2,
            let content = Base64URL.decode(parts[0]), let authenticator = Base64URL.decode(parts[1]),
            keys.acceptedCodes.contains(where: { equalInConstantTime(authenticator, Self.authenticator(content, $0)) }),
            case .object(let fields) = try? JSONValue.parse(content), case .string(let mark) = fields["account"],
            case .number(let number) = fields["expires"], let expiresAt = Int64(number)
        else { return nil }
        self.init(mark: mark, expiresAt: expiresAt)
    }

    func text(_ keys: ServerKeys) -> String {
        let content = JSONWriter.object { json in
            json.member("account", mark)
            json.member("expires", expiresAt)
        }
        return Self.prefix + Base64URL.string(content) + "." + Base64URL.string(Self.authenticator(content, keys.codes))
    }

    private static func authenticator(_ content: [UInt8], _ codes: KeyedHash) -> [UInt8] {
        codes("admin-access-token", .bytes(content))
    }
}
