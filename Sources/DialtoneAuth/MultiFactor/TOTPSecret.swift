internal import Foundation

/// The secret of an authenticator app, until it is enrolled.
public final class TOTPSecret: Sendable {
    let sessionInfo: String
    private let secret: String
    private let algorithm: String
    private let digits: Int
    private let period: Int

    init(_ response: TOTPStartResponse.Session) {
        sessionInfo = response.sessionInfo
        secret = response.sharedSecretKey
        algorithm = response.hashingAlgorithm ?? "SHA1"
        digits = response.verificationCodeLength ?? 6
        period = response.periodSec ?? 30
    }

    /// Returns the secret in Base32, for users who cannot scan a code. It must not reach logs.
    public func sharedSecretKey() -> String { secret }

    /// Returns the URL that authenticator apps read from a QR code.
    public func generateQRCodeURL(withAccountName accountName: String, issuer: String) -> String {
        let parameters = [
            ("secret", secret), ("issuer", issuer), ("algorithm", algorithm), ("digits", String(digits)),
            ("period", String(period)),
        ]
        let query = parameters.map { "\($0)=\(Self.encoded($1))" }.joined(separator: "&")
        return "otpauth://totp/\(Self.encoded(issuer)):\(Self.encoded(accountName))?\(query)"
    }

    /// Returns the URL for an authenticator app; nil if the URL has another scheme, which would open another app.
    static func authenticatorURL(_ text: String) -> URL? {
        URL(string: text).flatMap { $0.scheme?.lowercased() == "otpauth" ? $0 : nil }
    }

    /// Percent-encodes all but the unreserved characters of RFC 3986.
    private static func encoded(_ text: String) -> String {
        let letters = "abcdefghijklmnopqrstuvwxyz"
        let unreserved = CharacterSet(charactersIn: letters + letters.uppercased() + "0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}

extension TOTPSecret: CustomReflectable {
    /// Empty, because secrets must not reach logs.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
