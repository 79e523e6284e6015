public import RedisStore

/// Why something with second factors was not done. Each case names what the caller can do about it.
public enum SecondFactorRefusal: Error {
    /// The project asks nobody for a second factor, or not for one of this kind.
    case kindNotAllowed(SecondFactorRecord.Kind)
    case notAuthenticated(IDTokenRefusal)
    /// Who signs in by phone, or is nobody in particular, has no second factor.
    case firstFactorUnsupported
    /// Nobody has shown that the account's e-mail address is the user's: whoever took it over could enrol, and lock the owner out.
    case emailUnverified
    case displayNameTooLong
    /// The account has another factor of the same number.
    case alreadyEnrolled
    /// The account has ``Policy/maximumSecondFactors``.
    case limitReached
    /// The account has no such factor.
    case factorUnknown
    /// The factor is no phone: there is nothing to be sent.
    case factorNotTexted
    /// The account has no second factor at all.
    case noFactor
    /// It is none of ours, its time is up, or the account's password, tokens or state changed since.
    case pendingCredentialInvalid
    case codeNotSent(SendVerificationCodeRefusal)
    case code(VerificationCodeRefusal)
    /// A TOTP or recovery code is wrong, or was used before.
    case answerWrong
    /// There were too many of them; this one was not judged.
    case tooManyWrongAnswers(count: Int, retryAfter: Duration)
    /// An authenticator app's enrolment was begun by no request of ours for this user.
    case enrollmentUnknown
    /// Its time is up, or it was finished before; `used` tells which.
    case enrollmentEnded(used: Bool)
    case failed(OperationFailure)
}

extension SecondFactorRefusal {
    init(_ fault: SecondFactorFault) {
        self =
            switch fault {
            case .firstFactorEnded: .pendingCredentialInvalid
            case .factorUnknown: .factorUnknown
            case .codeWrong: .answerWrong
            case .blocked(let count, let milliseconds):
                .tooManyWrongAnswers(count: count, retryAfter: .milliseconds(milliseconds))
            case .used: .enrollmentEnded(used: true)
            case .alreadyEnrolled: .alreadyEnrolled
            case .full: .limitReached
            }
    }
}
