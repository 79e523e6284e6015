internal import PhoneAuth
internal import PhoneNumbers
internal import RedisStore

extension VerificationCodeRefusal {
    var phone: E164? {
        switch self {
        case .sessionEnded(_, let phone), .codeWrong(_, let phone), .attemptsSpent(let phone),
            .tooManyWrongCodes(_, let phone):
            phone
        case .sessionInfoUnknown, .failed: nil
        }
    }

    /// The protocol's error, the same for every purpose of a code.
    var wire: WireError {
        switch self {
        case .sessionInfoUnknown: .badRequest("INVALID_SESSION_INFO")
        case .sessionEnded(let used, _): .badRequest("SESSION_EXPIRED", logDetail: used ? "used before" : "time is up")
        case .codeWrong(let left, _): .badRequest("INVALID_CODE", logDetail: "\(left) attempts left")
        case .attemptsSpent: .badRequest("TOO_MANY_ATTEMPTS_TRY_LATER", logDetail: "attempts of the session")
        case .tooManyWrongCodes(let block, _):
            .limited(
                "TOO_MANY_ATTEMPTS_TRY_LATER",
                retryAfter: .milliseconds(block.retryAfterMilliseconds),
                logDetail: "\(block.wrongCodes) wrong codes for the number"
                    + (block.isOfClient ? " by this client" : ", the most that are judged")
            )
        case .failed(let failure): failure.wire
        }
    }
}
