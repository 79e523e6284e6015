/// An invalid part of a gateway's configuration. The description never contains a secret.
public enum GatewayConfigurationError: Error, Equatable, CaseIterable, CustomStringConvertible {
    case malformedURL
    case notHTTPS
    case unreadableTrustRoots
    case malformedSecret
    case weakKey
    case malformedAccount
    case malformedKeyID
    case malformedSender

    /// One line for the operator.
    public var description: String {
        switch self {
        case .malformedURL: "the URL is not an absolute https URL, or it has user information or a fragment"
        case .notHTTPS: "the URL is not https; only a webhook on a loopback address may use http"
        case .unreadableTrustRoots: "the trusted certificates are not PEM certificates"
        case .malformedSecret: "the secret is not 1 to 512 printable ASCII characters without spaces"
        case .weakKey: "the key is shorter than 32 characters"
        case .malformedAccount: "the account does not have the gateway's format"
        case .malformedKeyID: "the key id is not SK and 32 hexadecimal digits"
        case .malformedSender: "the sender is not a phone number, a name or a messaging service"
        }
    }
}
