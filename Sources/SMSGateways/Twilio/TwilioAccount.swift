internal import Encodings

/// A Twilio account and the credentials for it.
///
/// Twilio: "REST API: API Keys" and "Messages resource".
public struct TwilioAccount: Sendable {
    /// The account SID: `AC` and 32 hexadecimal digits.
    public let accountSID: String
    let user: String
    let password: GatewaySecret

    /// Creates an account that authenticates with its auth token.
    ///
    /// - Throws: ``GatewayConfigurationError/malformedAccount``
    public init(accountSID: String, authToken: GatewaySecret) throws(GatewayConfigurationError) {
        guard Self.isSID(accountSID, "AC") else { throw .malformedAccount }
        self.accountSID = accountSID
        user = accountSID
        password = authToken
    }

    /// Creates an account that authenticates with an API key, which can be revoked on its own.
    ///
    /// - Parameters:
    ///   - accountSID: the account SID: `AC` and 32 hexadecimal digits.
    ///   - keySID: the API key SID: `SK` and 32 hexadecimal digits.
    ///   - secret: the API key's secret.
    /// - Throws: ``GatewayConfigurationError/malformedAccount`` or ``GatewayConfigurationError/malformedKeyID``
    public init(accountSID: String, keySID: String, secret: GatewaySecret) throws(GatewayConfigurationError) {
        guard Self.isSID(accountSID, "AC") else { throw .malformedAccount }
        guard Self.isSID(keySID, "SK") else { throw .malformedKeyID }
        self.accountSID = accountSID
        user = keySID
        password = secret
    }

    /// Returns whether `text` is a SID with this prefix.
    static func isSID(_ text: String, _ prefix: String) -> Bool {
        text.hasPrefix(prefix) && text.utf8.count == 34
            && text.dropFirst(2).utf8.allSatisfy { $0.hexDigitValue != nil }
    }
}
