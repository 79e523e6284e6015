public import Encodings
public import PhoneNumbers

/// How a user signed in; the claim `firebase.sign_in_provider`.
public enum SignInProvider: String, Sendable {
    case phone
    case anonymous
    case custom
    case password
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
