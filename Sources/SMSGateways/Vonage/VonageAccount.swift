internal import Encodings

/// A Vonage account, its credentials and its sender.
///
/// Vonage: "SMS API", parameters `api_key`, `api_secret` and `from`.
public struct VonageAccount: Sendable {
    /// The API key: 1 to 32 letters and digits.
    public let key: String
    let secret: GatewaySecret
    let sender: String

    /// Creates an account.
    ///
    /// - Parameters:
    ///   - key: the API key.
    ///   - secret: the API secret.
    ///   - sender: a number of the account, or a name of at most 11 characters if the destination country allows names.
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

    /// Returns the sender as Vonage expects it: numbers without `+`. Returns nil if the sender is malformed.
    private static func wireForm(of sender: String) -> String? {
        switch SenderForm(sender) {
        case .number(let digits)?: digits
        case .name(let name)?: name
        case nil: nil
        }
    }
}
