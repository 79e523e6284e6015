internal import Encodings

/// Whose messages Vonage sends, and who they come from.
///
/// Vonage: "SMS API", parameters `api_key`, `api_secret` and `from`.
public struct VonageAccount: Sendable {
    /// The account's key: 1 to 32 letters and digits.
    public let key: String
    let secret: GatewaySecret
    let sender: String

    /// An account.
    ///
    /// - Parameters:
    ///   - key: the account's key.
    ///   - secret: the account's secret.
    ///   - sender: a number of the account's, or a name of at most 11 characters where the country allows one.
    /// - Throws: ``GatewayConfigurationError/malformedAccount``, ``GatewayConfigurationError/malformedSender``
    public init(key: String, secret: GatewaySecret, sender: String) throws(GatewayConfigurationError) {
        guard (1...32).contains(key.utf8.count), key.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit }) else {
            throw .malformedAccount
        }
        guard let sender = Self.wireForm(of: sender) else { throw .malformedSender }
        self.key = key
        self.secret = secret
        self.sender = sender
    }

    /// Numbers go without their `+`.
    static func wireForm(of sender: String) -> String? {
        switch SenderForm(sender) {
        case .number(let digits)?: digits
        case .name(let name)?: name
        case nil: nil
        }
    }
}
