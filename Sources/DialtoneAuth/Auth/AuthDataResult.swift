/// The result of a sign-in.
public final class AuthDataResult: Sendable {
    /// The user.
    public let user: User
    /// What the sign-in told besides.
    public let additionalUserInfo: AdditionalUserInfo?
    /// Always nil, because only identity providers return one. Kept for source compatibility.
    public var credential: OAuthCredential? { nil }

    init(_ user: User, _ additionalUserInfo: AdditionalUserInfo) {
        self.user = user
        self.additionalUserInfo = additionalUserInfo
    }
}

/// What a sign-in tells besides the user.
public final class AdditionalUserInfo: Sendable {
    /// How the user signed in, such as `phone`.
    public let providerID: String
    /// Whether the sign-in created the account.
    public let isNewUser: Bool
    /// Dialtone has no identity providers, which would tell a profile.
    public var profile: [String: Any]? { nil }
    /// Dialtone has no identity providers, which would tell a name.
    public var username: String? { nil }

    init(_ providerID: String, isNewUser: Bool) {
        self.providerID = providerID
        self.isNewUser = isNewUser
    }
}
