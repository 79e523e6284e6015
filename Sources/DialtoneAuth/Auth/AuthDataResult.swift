/// The result of a sign-in.
public final class AuthDataResult: Sendable {
    /// The user.
    public let user: User
    /// Further information about the sign-in.
    public let additionalUserInfo: AdditionalUserInfo?
    /// Kept for source compatibility: always nil, because only identity providers return a credential.
    public var credential: OAuthCredential? { nil }

    init(_ user: User, _ additionalUserInfo: AdditionalUserInfo) {
        self.user = user
        self.additionalUserInfo = additionalUserInfo
    }
}

/// Information about a sign-in, apart from the user.
public final class AdditionalUserInfo: Sendable {
    /// How the user signed in, such as `phone`.
    public let providerID: String
    /// Whether the sign-in created the account.
    public let isNewUser: Bool
    /// Kept for source compatibility: always nil, because Dialtone has no identity providers.
    public var profile: [String: Any]? { nil }
    /// Kept for source compatibility: always nil, because Dialtone has no identity providers.
    public var username: String? { nil }

    init(_ providerID: String, isNewUser: Bool) {
        self.providerID = providerID
        self.isNewUser = isNewUser
    }
}
