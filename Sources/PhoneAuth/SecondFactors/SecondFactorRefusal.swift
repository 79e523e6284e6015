/// Why an operation on second factors was rejected. Each case names what the caller can do about it.
public enum SecondFactorRefusal: OperationRefusal, UserRefusal {
    /// The project does not use second factors, or not this kind.
    case kindNotAllowed(SecondFactorPolicy.Kind)
    case notAuthenticated(IDTokenRefusal)
    /// Users who sign in by phone or anonymously cannot have a second factor.
    case firstFactorUnsupported
    /// The e-mail address is not verified: an attacker who signed up with another person's address could enroll a
    /// factor and lock the owner out.
    case emailUnverified
    case displayNameTooLong
    /// The account already has a factor with this number.
    case alreadyEnrolled
    /// The account has ``SecondFactor/maximumPerAccount``.
    case limitReached
    /// The account has no such factor.
    case factorUnknown
    /// The factor is not a phone, so no message can be sent.
    case factorNotTexted
    /// The account has no second factor at all.
    case noFactor
    /// The credential was not made by this deployment or has expired, or the account's password, tokens or state have
    /// changed since.
    case pendingCredentialInvalid
    case codeNotSent(SendVerificationCodeRefusal)
    case code(VerificationCodeRefusal)
    /// A TOTP or recovery code is wrong, or was replayed.
    case answerWrong
    /// Too many wrong TOTP or recovery codes; this one was rejected without verification.
    case tooManyWrongAnswers(count: Int, retryAfter: Duration)
    /// The session info was not made by this deployment for this user.
    case enrollmentUnknown
    /// The enrollment has expired, or was already finished (`used`).
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

extension Project {
    /// Rejects a kind of second factor that the project does not allow.
    /// - Throws: ``SecondFactorRefusal/kindNotAllowed(_:)``.
    public func requireSecondFactors(_ kind: SecondFactorPolicy.Kind) throws(SecondFactorRefusal) {
        guard secondFactors.allows(kind) else { throw .kindNotAllowed(kind) }
    }
}
