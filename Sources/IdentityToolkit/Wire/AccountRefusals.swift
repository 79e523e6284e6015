internal import PhoneAuth
internal import RedisStore

extension IDTokenRefusal {
    /// The protocol's words, the same on every path that takes an ID token.
    var wire: WireError {
        switch self {
        case .tokenInvalid: .badRequest("INVALID_ID_TOKEN")
        case .accountUnknown: .badRequest("USER_NOT_FOUND")
        case .accountDisabled: .badRequest("USER_DISABLED")
        case .tokenRevoked: .badRequest("TOKEN_EXPIRED")
        case .unavailable(let store): .unavailable(logDetail: store.description)
        }
    }
}

extension OperationFailure {
    var wire: WireError {
        switch self {
        case .unavailable(let store): .unavailable(logDetail: store.description)
        case .interrupted: .unavailable(logDetail: "others changed the account or its number at the same time")
        case .cryptographyFailed: .internalError(logDetail: "sealing or signing failed")
        }
    }
}

extension WireError {
    /// Makes SDKs ask the user to sign in again.
    static let signInTooOld = badRequest("CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
}
