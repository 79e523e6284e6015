public import Encodings
public import PhoneNumbers

/// How a user signed in; the claim `firebase.sign_in_provider`.
public enum SignInProvider: String, Sendable {
    case phone
}

/// A finished sign-in.
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
}
