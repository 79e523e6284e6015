public import RedisScripts

/// Why an ID token does not authenticate an account.
public enum IDTokenRefusal: StoreRefusal {
    /// The token's format, signature, issuer, audience or time is invalid.
    case tokenInvalid
    case accountUnknown
    case accountDisabled
    /// Issued before the account's tokens were revoked.
    case tokenRevoked
    /// The user signed in too long ago for the operation; see ``IDTokenOperation``.
    case signInTooOld
    case unavailable(StoreUnavailable)
}

extension IDTokenRefusal {
    /// Creates the refusal of a sign-in that continues the session of an ID token.
    init(_ obstacle: SignInObstacle) {
        self =
            switch obstacle {
            case .disabled: .accountDisabled
            case .token(.revoked): .tokenRevoked
            case .token(.tooOld): .signInTooOld
            case .noAccount, .exists, .notHeld, .recycled, .secondFactor: .accountUnknown
            }
    }
}

/// A refusal for the case that the ID token of the request is not accepted.
protocol UserRefusal: Error {
    static func notAuthenticated(_ refusal: IDTokenRefusal) -> Self
}

extension UserRefusal {
    /// Returns what the ID token of the request proves.
    /// - Throws: the refusal for an ID token that is not accepted.
    static func wrapping<Value>(
        refusalOf step: @autoclosure () throws(IDTokenRefusal) -> Value
    ) throws(Self) -> Value {
        do { return try step() } catch { throw .notAuthenticated(error) }
    }
}
