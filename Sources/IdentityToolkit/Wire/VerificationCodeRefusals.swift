internal import PhoneAuth
internal import PhoneNumbers

extension SendVerificationCodeRefusal: CallRefusal {
    var phone: E164? {
        switch self {
        case .phoneSignInDisabled(let phone), .regionNotAllowed(_, let phone), .secondFactorUser(let phone),
            .appNotProven(_, let phone), .limited(_, let phone), .steppedUp(_, let phone),
            .channelNotAvailable(_, let phone):
            phone
        case .numberInvalid, .unavailable, .internalFailure: nil
        }
    }

    /// Returns the protocol's error, the same for every purpose of a code. iOS retries with a new challenge token only
    /// if a bad token is reported as an invalid app credential.
    func wire(for call: Call) -> WireError {
        switch self {
        case .numberInvalid(.tooShort): return .code(.invalidPhoneNumber, "TOO_SHORT")
        case .numberInvalid(.tooLong): return .code(.invalidPhoneNumber, "TOO_LONG")
        case .numberInvalid: return .code(.invalidPhoneNumber, "Invalid format.")
        case .phoneSignInDisabled: return .phoneSignInDisabled
        case .regionNotAllowed(.unassigned, _):
            return .code(
                .invalidPhoneNumber,
                "Invalid format.",
                logDetail: SMSRegionRefusal.unassigned.description
            )
        case .regionNotAllowed(let refusal, _):
            return .code(
                .operationNotAllowed,
                "SMS unable to be sent until this region enabled by the app developer.",
                logDetail: refusal.description
            )
        case .secondFactorUser: return .phoneNumberOfSecondFactorUser
        case .appNotProven(let failure, _): return .appNotProven(failure, call.platform)
        case .limited(let refusal, _):
            return .limited(
                refusal.errorCode,
                call.referenceExplanation,
                retryAfter: refusal.retryAfter,
                logDetail: refusal.description
            )
        case .steppedUp(let stepUp, _):
            if stepUp.allowsChallenged {
                // The iOS SDK drops its credential and opens the challenge page, because it gets no silent push.
                let code: ErrorCode =
                    switch call.platform {
                    case .web: .captchaCheckFailed
                    case .iOS: .invalidAppCredential
                    case .android: .alternateClientIdentifierRequired
                    }
                return .code(code, logDetail: stepUp.description)
            }
            return .limited(
                stepUp.isOfSpendingCap ? .quotaExceeded : .tooManyAttemptsTryLater,
                call.referenceExplanation,
                retryAfter: stepUp.retryAfter,
                logDetail: stepUp.description
            )
        case .channelNotAvailable(let channel, _):
            return .code(.operationNotAllowed, "No code can be sent to this number by \(channel.rawValue).")
        case .unavailable(let store): return store.wire
        case .internalFailure: return .internalError(logDetail: "sealing failed")
        }
    }
}

extension WireError {
    /// Returns the protocol's error, the same wherever an app must be verified.
    static func appNotProven(_ failure: AppProofFailure, _ platform: AppPlatform) -> WireError {
        switch (failure, platform) {
        case (.missing, _): .code(.missingAppCredential)
        case (.invalid(let reason), .web): .code(.captchaCheckFailed, logDetail: reason.rawValue)
        case (.invalid(let reason), _): .code(.invalidAppCredential, logDetail: reason.rawValue)
        case (.challengeNeeded(let reason), _):
            .code(.alternateClientIdentifierRequired, logDetail: reason.rawValue)
        }
    }
}

extension Call {
    fileprivate var referenceExplanation: String? { record.reference.map { "Reference \($0)." } }
}

extension RateLimitRefusal {
    /// The protocol's error code: one for limits that a user can wait out, and another for limits that the operator
    /// must know about.
    var errorCode: ErrorCode { isShared ? .quotaExceeded : .tooManyAttemptsTryLater }
}

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
