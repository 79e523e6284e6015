internal import PhoneAuth
internal import RedisStore

extension IDTokenRefusal {
    /// The protocol's error, the same on every path that takes an ID token.
    var wire: WireError {
        switch self {
        case .tokenInvalid: .badRequest("INVALID_ID_TOKEN")
        case .accountUnknown: .badRequest("USER_NOT_FOUND")
        case .accountDisabled: .badRequest("USER_DISABLED")
        case .tokenRevoked: .badRequest("TOKEN_EXPIRED")
        // SDKs make the user sign in again.
        case .signInTooOld: .badRequest("CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
        case .unavailable(let store): .unavailable(logDetail: store.description)
        }
    }
}

extension OperationFailure {
    var wire: WireError {
        switch self {
        case .unavailable(let store): .unavailable(logDetail: store.description)
        case .interrupted: .unavailable(logDetail: "others changed the account or what leads to it at the same time")
        case .contended: .aborted
        case .cryptographyFailed: .internalError(logDetail: "sealing or signing failed")
        case .passwordNotHashed(let error):
            .unavailable(logDetail: "the password was not hashed: \(error.map { "\($0)" } ?? "no threads for it")")
        case .notAdmitted(let refusal): refusal.wire
        case .blocked(let refusal): refusal.wire
        }
    }
}

extension AdmissionRefusal {
    /// The protocol's error. A user can wait out a network's rate limit; the other limits are the operator's concern.
    fileprivate var wire: WireError {
        switch self {
        case .limited(let scope, _, let retryAfter):
            switch scope {
            case .network: .limited("TOO_MANY_ATTEMPTS_TRY_LATER", retryAfter: retryAfter, logDetail: description)
            case .project: .limited("QUOTA_EXCEEDED", retryAfter: retryAfter, logDetail: description)
            }
        case .memoryNearlyFull:
            .limited("QUOTA_EXCEEDED", retryAfter: Policy.fullMemoryRetry, logDetail: description)
        }
    }
}

extension CredentialRefusal {
    /// The protocol's error, the same wherever an account gets an e-mail address or a password.
    var wire: WireError {
        switch self {
        case .passwordSignInDisabled:
            .badRequest("OPERATION_NOT_ALLOWED", logDetail: "sign-in with a password is disabled")
        case .emailMissing: .badRequest("MISSING_EMAIL")
        case .emailInvalid: .badRequest("INVALID_EMAIL")
        case .emailExists: .badRequest("EMAIL_EXISTS")
        case .passwordTooShort:
            .badRequest(
                "WEAK_PASSWORD : Password should be at least \(Policy.minimumPasswordCharacters) characters"
            )
        case .passwordTooLong:
            .badRequest("WEAK_PASSWORD : Password should be at most \(Policy.maximumPasswordBytes) bytes")
        }
    }
}

extension WireError {
    static let displayNameTooLong = badRequest("INVALID_PROFILE_ATTRIBUTE : Display name too long.")
}
