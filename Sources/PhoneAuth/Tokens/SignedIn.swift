public import Encodings
public import PhoneNumbers

/// A sign-in method; the claim `firebase.sign_in_provider`.
public enum SignInProvider: String, Sendable {
    case phone
    case anonymous
    case custom
    case password

    /// Whether sign-ins with this method require the user's second factor. Custom tokens do not: the protocol's
    /// response has no place for it, and the operator's server that issues them may request one itself.
    var asksForSecondFactor: Bool { self == .password }

    /// Whether users who sign in with this method may enrol second factors.
    var mayHaveSecondFactors: Bool {
        switch self {
        case .password, .custom: true
        case .phone, .anonymous: false
        }
    }
}

/// The result of a phone sign-in.
public struct SignedIn: Sendable, Confidential {
    /// The ID token, which proves the user to other servers for an hour.
    public let idToken: String
    /// The refresh token, which is exchanged for new ID tokens.
    public let refreshToken: String
    /// The account's `localId`.
    public let uid: String
    /// Whether this sign-in created the account.
    public let isNewUser: Bool
    /// The phone number.
    public let phone: E164

    init(_ tokens: IssuedTokens, _ phone: E164) {
        idToken = tokens.idToken
        refreshToken = tokens.refreshToken
        uid = tokens.account.uid
        isNewUser = tokens.isNewUser
        self.phone = phone
    }
}
