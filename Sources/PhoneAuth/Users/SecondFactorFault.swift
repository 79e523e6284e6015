internal import Redis
internal import RedisScripts

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

    /// The words of `checkSecondFactor` in `second-factors.lua`.
    enum Word: String, CaseIterable {
        case ended, wrong, blocked, used, enrolled, full
        case unknownFactor = "unknown-factor"
    }

    init(_ reply: ScriptReply) throws(StoreUnavailable) {
        guard let word = Word(rawValue: try reply.outcome()) else { throw .unexpectedReply }
        switch word {
        case .ended: self = .firstFactorEnded
        case .unknownFactor: self = .factorUnknown
        case .wrong: self = .codeWrong
        case .blocked:
            self = .blocked(
                wrongCodes: Int(try reply.integer(at: 1)),
                retryAfterMilliseconds: try reply.integer(at: 2)
            )
        case .used: self = .used
        case .enrolled: self = .alreadyEnrolled
        case .full: self = .full
        }
    }
}
