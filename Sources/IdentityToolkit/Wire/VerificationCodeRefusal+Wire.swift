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
        case .codeWrong(let left, _): .wrongCode(attemptsLeft: left)
        case .attemptsSpent: .code(.tooManyAttemptsTryLater, logDetail: "no attempts left in the session")
        case .tooManyWrongCodes(let block, _):
            .limited(.tooManyAttemptsTryLater, retryAfter: block.retryAfter, logDetail: block.description)
        case .failed(let failure): failure.wire
        }
    }
}

extension WireError {
    /// Returns the error for a wrong code. Its body is the protocol's; a header has the number of attempts left.
    fileprivate static func wrongCode(attemptsLeft left: Int) -> WireError {
        var error = code(.invalidCode, logDetail: "\(left) attempts left")
        error.attemptsLeft = left
        return error
    }
}
