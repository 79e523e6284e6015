public import OutgoingHTTP

/// The reason why a push may succeed later.
public enum RetryReason: Hashable, Sendable, CustomStringConvertible {
    /// APNs returned this reason.
    case answered(APNsReason)
    /// APNs did not respond.
    case transport(TransportFailure)
    /// No provider token could be signed.
    case unsigned

    /// A few words for a log or a metric's label.
    public var description: String {
        switch self {
        case .answered(let reason): reason.description
        case .transport(let failure): "\(failure)"
        case .unsigned: "unsigned"
        }
    }
}
