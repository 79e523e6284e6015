internal import Encodings

/// Whose messages Twilio sends, and how it knows them.
///
/// Twilio: "REST API: API Keys" and "Messages resource".
public struct TwilioAccount: Sendable {
    /// The account: `AC` and 32 hexadecimal digits.
    public let accountSID: String
    let user: String
    let password: GatewaySecret

    /// An account known by its auth token.
    ///
    /// - Throws: ``GatewayConfigurationError/malformedAccount``
    public init(accountSID: String, authToken: GatewaySecret) throws(GatewayConfigurationError) {
        guard Self.isSID(accountSID, "AC") else { throw .malformedAccount }
        self.accountSID = accountSID
        user = accountSID
        password = authToken
    }

    /// An account known by one of its API keys, which can be withdrawn by itself.
    ///
    /// - Parameters:
    ///   - accountSID: the account: `AC` and 32 hexadecimal digits.
    ///   - keySID: the key: `SK` and 32 hexadecimal digits.
    ///   - secret: the key's secret.
    /// - Throws: ``GatewayConfigurationError/malformedAccount``
    public init(accountSID: String, keySID: String, secret: GatewaySecret) throws(GatewayConfigurationError) {
        guard Self.isSID(accountSID, "AC"), Self.isSID(keySID, "SK") else { throw .malformedAccount }
        self.accountSID = accountSID
        user = keySID
        password = secret
    }

    /// Whether `text` is the id of a resource whose ids begin with `prefix`.
    static func isSID(_ text: String, _ prefix: String) -> Bool {
        text.hasPrefix(prefix) && text.utf8.count == 34
            && text.dropFirst(2).utf8.allSatisfy { $0.hexDigitValue != nil }
    }
}
