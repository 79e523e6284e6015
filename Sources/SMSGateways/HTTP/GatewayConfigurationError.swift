/// An invalid part of a gateway's configuration. The description never contains a secret.
public enum GatewayConfigurationError: Error, Equatable, CaseIterable, CustomStringConvertible {
    case malformedURL
    case notHTTPS
    case unreadableTrustRoots
    case malformedSecret
    case weakKey
    case malformedAccount
    case malformedSender
    case receiptAddressTooLong

    /// One line for the operator.
    public var description: String {
        switch self {
        case .malformedURL: "the URL is not https, a host and perhaps a port, a path and a query"
        case .notHTTPS: "the URL is not https, and no webhook at an address of this machine itself"
        case .unreadableTrustRoots: "the trusted certificates are not certificates in PEM"
        case .malformedSecret: "the secret is not 1 to 512 printable ASCII characters without spaces"
        case .weakKey: "the key is shorter than 32 characters"
        case .malformedAccount: "the account or the key id is not in the form that the gateway gives out"
        case .malformedSender: "the sender is neither a number, a name, nor a messaging service"
        case .receiptAddressTooLong: "the address of receipts is longer than the gateway takes"
        }
    }
}
