internal import Redis

/// Why a second-factor need is not met.
public enum SecondFactorFault: Sendable, Hashable {
    /// The password has changed or tokens were revoked since the first factor was proven.
    case firstFactorEnded
    case factorUnknown
    case codeWrong
    /// There were too many wrong codes; this one was rejected without verification.
    case blocked(wrongCodes: Int, retryAfterMilliseconds: Int64)
    /// The factor was already enrolled.
    case used
    /// The account has another factor with the same number.
    case alreadyEnrolled
    /// The account has the maximum number of factors.
    case full

    init(_ reply: ScriptReply) throws(StoreUnavailable) {
        switch try reply.outcome() {
        case "ended": self = .firstFactorEnded
        case "unknown-factor": self = .factorUnknown
        case "wrong": self = .codeWrong
        case "blocked":
            self = .blocked(
                wrongCodes: Int(try reply.integer(at: 1)),
                retryAfterMilliseconds: try reply.integer(at: 2)
            )
        case "used": self = .used
        case "enrolled": self = .alreadyEnrolled
        case "full": self = .full
        default: throw .unexpectedReply
        }
    }
}
