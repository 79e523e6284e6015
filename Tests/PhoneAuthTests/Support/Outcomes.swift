import PhoneAuth
import PhoneNumbers
import RedisScripts

/// The outcome of a request to send a code, in a form that tests can compare.
enum SendOutcome: Equatable {
    case sent(String, SentVerificationCode.Outcome)
    /// Refused by a limit of the number.
    case limited(window: Duration, retryAfter: Duration)
    /// Refused by another limit.
    case exceeded(ExceededRateLimit)
    case steppedUp(StepUp)
    case channelNotAvailable(MessageChannel)
    case phoneSignInDisabled
    case regionNotAllowed(SMSRegionRefusal)
    case secondFactorUser
    case notProven(AppProofFailure)
    case numberInvalid(PhoneNumberError)
    case failed(String)

    var sessionInfo: String? {
        guard case .sent(let sessionInfo, _) = self else { return nil }
        return sessionInfo
    }

    var outcome: SentVerificationCode.Outcome? {
        guard case .sent(_, let outcome) = self else { return nil }
        return outcome
    }
}

/// The outcome of a submitted code or proof, in a form that tests can compare.
enum SignInOutcome: Equatable {
    case signedIn(uid: String, isNew: Bool)
    case wrong(attemptsLeft: Int)
    case spent
    case blocked(isOfClient: Bool, retryAfter: Duration)
    case phoneSignInDisabled
    case used
    case expired
    case unknownSession
    case disabled
    case noAccount
    case invalidProof
    case notAuthenticated(LookupOutcome)
    case signInTooOld
    case numberOfAnother(String)
    case numberExists
    case hook(HookOutcome)
    case recycled
    case secondFactorUser
    case failed(String)

    var uid: String? {
        guard case .signedIn(let uid, _) = self else { return nil }
        return uid
    }

    var temporaryProof: String? {
        guard case .numberOfAnother(let proof) = self else { return nil }
        return proof
    }
}

/// The outcome of a refresh, in a form that tests can compare.
enum RefreshOutcome: Equatable {
    case refreshed(uid: String)
    case malformed, unknown, disabled, noAccount, revoked, reused, secondFactorMissing
    case failed(String)
}

/// The outcome of an ID token's verification, in a form that tests can compare.
enum LookupOutcome: Equatable {
    case found(uid: String)
    case invalid, noAccount, disabled, revoked, signInTooOld
    case failed(String)

    init(_ refusal: IDTokenRefusal) {
        switch refusal {
        case .tokenInvalid: self = .invalid
        case .accountUnknown: self = .noAccount
        case .accountDisabled: self = .disabled
        case .tokenRevoked: self = .revoked
        case .signInTooOld: self = .signInTooOld
        case .unavailable: self = .failed("\(refusal)")
        }
    }
}
