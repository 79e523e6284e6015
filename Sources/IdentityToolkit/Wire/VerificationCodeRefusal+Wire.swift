internal import PhoneAuth
internal import PhoneNumbers

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
        case .sessionInfoUnknown: .code(.invalidSessionInfo)
        case .sessionEnded(let used, _): .code(.sessionExpired, logDetail: used ? "already used" : "expired")
        case .codeWrong(let left, _): .code(.invalidCode, logDetail: "\(left) attempts left")
        case .attemptsSpent: .code(.tooManyAttemptsTryLater, logDetail: "no attempts left in the session")
        case .tooManyWrongCodes(let block, _):
            .limited(.tooManyAttemptsTryLater, retryAfter: block.retryAfter, logDetail: block.description)
        case .failed(let failure): failure.wire
        }
    }
}
