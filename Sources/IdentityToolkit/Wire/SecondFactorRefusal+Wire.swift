internal import PhoneAuth
internal import PhoneNumbers

extension SecondFactorRefusal: CallRefusal {
    var phone: E164? {
        switch self {
        case .codeNotSent(let refusal): refusal.phone
        case .code(let refusal): refusal.phone
        default: nil
        }
    }

    /// Returns the protocol's error; `call` is the one that requested the message.
    func wire(for call: Call) -> WireError {
        switch self {
        case .kindNotAllowed(.sms): .code(.operationNotAllowed, "SMS based MFA not enabled.")
        case .kindNotAllowed(.totp): .code(.operationNotAllowed, "TOTP based MFA not enabled.")
        case .notAuthenticated(let refusal): refusal.wire
        case .firstFactorUnsupported:
            .code(.unsupportedFirstFactor, "MFA is not available for the given first factor.")
        case .emailUnverified:
            .code(.unverifiedEmail, "Need to verify email first before enrolling second factors.")
        case .displayNameTooLong: .displayNameTooLong
        case .alreadyEnrolled:
            .code(.secondFactorExists, "Phone number already enrolled as second factor for this account.")
        case .limitReached: .code(.secondFactorLimitExceeded)
        case .factorUnknown: .code(.mfaEnrollmentNotFound)
        case .factorNotTexted: .secondFactorNotSupported
        case .noFactor: .code(.mfaEnrollmentNotFound, logDetail: "the account has no second factor")
        case .pendingCredentialInvalid: .code(.invalidMFAPendingCredential)
        case .codeNotSent(let refusal): refusal.wire(for: call)
        case .code(let refusal): refusal.wire
        case .answerWrong: .code(.invalidCode)
        case .tooManyWrongAnswers(let count, let retryAfter):
            .limited(
                .tooManyAttemptsTryLater,
                retryAfter: retryAfter,
                logDetail: "\(count) wrong second factors for the account"
            )
        case .enrollmentUnknown: .code(.invalidSessionInfo)
        case .enrollmentEnded(let used):
            .code(.sessionExpired, logDetail: used ? "already used" : "expired")
        case .failed(let failure): failure.wire
        }
    }
}

extension WireError {
    static let secondFactorNotSupported = code(.invalidArgument, "MFA provider not supported!")

    /// A user with second factors neither signs in by phone nor links a phone number as a first factor.
    static let phoneNumberOfSecondFactorUser = code(
        .unsupportedFirstFactor,
        "A phone number cannot be set as a first factor on an SMS based MFA user."
    )
}
