internal import PhoneAuth
internal import PhoneNumbers
internal import RedisStore

extension SecondFactorRefusal {
    var phone: E164? {
        switch self {
        case .codeNotSent(let refusal): refusal.phone
        case .code(let refusal): refusal.phone
        default: nil
        }
    }

    /// Returns the protocol's error; `call` is the one that requested the message.
    func wire(_ call: Call) -> WireError {
        switch self {
        case .kindNotAllowed(.phone): .badRequest("OPERATION_NOT_ALLOWED : SMS based MFA not enabled.")
        case .kindNotAllowed(.totp): .badRequest("OPERATION_NOT_ALLOWED : TOTP based MFA not enabled.")
        case .notAuthenticated(let refusal): refusal.wire
        case .firstFactorUnsupported:
            .badRequest("UNSUPPORTED_FIRST_FACTOR : MFA is not available for the given first factor.")
        case .emailUnverified:
            .badRequest("UNVERIFIED_EMAIL : Need to verify email first before enrolling second factors.")
        case .displayNameTooLong: .displayNameTooLong
        case .alreadyEnrolled:
            .badRequest("SECOND_FACTOR_EXISTS : Phone number already enrolled as second factor for this account.")
        case .limitReached: .badRequest("SECOND_FACTOR_LIMIT_EXCEEDED")
        case .factorUnknown: .badRequest("MFA_ENROLLMENT_NOT_FOUND")
        case .factorNotTexted: .secondFactorNotSupported
        case .noFactor: .badRequest("MFA_ENROLLMENT_NOT_FOUND", logDetail: "the account has no second factor")
        case .pendingCredentialInvalid: .badRequest("INVALID_MFA_PENDING_CREDENTIAL")
        case .codeNotSent(let refusal):
            refusal.wire(for: call.platform, reference: DecisionReference(requestID: call.requestID))
        case .code(let refusal): refusal.wire
        case .answerWrong: .badRequest("INVALID_CODE")
        case .tooManyWrongAnswers(let count, let retryAfter):
            .limited(
                "TOO_MANY_ATTEMPTS_TRY_LATER",
                retryAfter: retryAfter,
                logDetail: "\(count) wrong second factors for the account"
            )
        case .enrollmentUnknown: .badRequest("INVALID_SESSION_INFO")
        case .enrollmentEnded(let used):
            .badRequest("SESSION_EXPIRED", logDetail: used ? "used before" : "time is up")
        case .failed(let failure): failure.wire
        }
    }
}

extension WireError {
    static let secondFactorNotSupported = badRequest("INVALID_ARGUMENT : MFA provider not supported!")

    /// A user with second factors neither signs in by phone nor links a phone number as a first factor.
    static let phoneNumberOfSecondFactorUser = badRequest(
        "UNSUPPORTED_FIRST_FACTOR : A phone number cannot be set as a first factor on an SMS based MFA user."
    )
}
