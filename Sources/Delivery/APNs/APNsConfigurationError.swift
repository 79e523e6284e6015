/// The reason why an ``APNsClient`` cannot be created.
public enum APNsConfigurationError: Error, Equatable, CustomStringConvertible {
    case unreadableTrustRoots

    /// One line for the operator.
    public var description: String {
        switch self {
        case .unreadableTrustRoots: "the trusted certificates are not PEM certificates"
        }
    }
}
