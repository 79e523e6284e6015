public import OutgoingHTTP

/// Why a push may succeed later.
public enum RetryReason: Hashable, Sendable, CustomStringConvertible {
    /// APNs said so.
    case answered(APNsReason)
    /// APNs said nothing.
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
