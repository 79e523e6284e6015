public import Encodings
public import PhoneNumbers

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
