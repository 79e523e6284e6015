public import Encodings
public import PhoneNumbers

/// How a user signed in; the claim `firebase.sign_in_provider`.
public enum SignInProvider: String, Sendable {
    case phone
    case anonymous
    case custom
    case password

    /// Whether sign-ins by this ask users for their second factor. Custom tokens do not: the protocol's answer to them has no place
    /// for that, and the operator's server that makes them may ask by itself.
    var asksForSecondFactor: Bool { self == .password }

    /// Whether who signs in by this may enrol second factors.
    var mayHaveSecondFactors: Bool {
        switch self {
        case .password, .custom: true
        case .phone, .anonymous: false
        }
    }
}

/// A finished sign-in by phone.
public struct SignedIn: Sendable, Confidential {
    /// Proves the user to other servers for an hour.
    public let idToken: String
    /// Gets new ID tokens.
    public let refreshToken: String
    /// The account's `localId`.
    public let uid: String
    /// Whether this sign-in made the account.
    public let isNewUser: Bool
    /// The number.
    public let phone: E164

    init(_ tokens: IssuedTokens, _ phone: E164) {
        idToken = tokens.idToken
        refreshToken = tokens.refreshToken
        uid = tokens.account.uid
        isNewUser = tokens.isNewUser
        self.phone = phone
    }
}
