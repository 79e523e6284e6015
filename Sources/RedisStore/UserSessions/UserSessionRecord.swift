/// A user's session as its hash in Redis holds it: what one sign-in began. Its refresh token names it, and so do its ID
/// tokens.
public struct UserSessionRecord: Sendable {
    /// Whose session it is.
    public let uid: String
    /// How the user signed in.
    public let provider: String
    /// When the user signed in; milliseconds since the Unix epoch. Stays the same until the session ends.
    public let signedInAt: Int64
    /// When its refresh token was issued; milliseconds since the Unix epoch.
    public let issuedAt: Int64
    /// The session's own claims, a JSON object; empty if it has none.
    public let tokenClaims: String
    /// The second factor that the user has proven; nil if none was asked for.
    public let secondFactor: SecondFactorMark?
    /// The account's revocation counter when the refresh token was issued; nil in sessions of the version before.
    public let revocation: Int64?
    /// What the client called itself at the sign-in; nil if it did not.
    public let client: String?
    /// A keyed hash of the client's network at the sign-in, the same as in the audit log.
    public let networkHash: String?
    /// What the client called itself when the session last got tokens; nil if it did not.
    public let lastClient: String?
    /// A keyed hash of the client's network when the session last got tokens; nil if it is not known.
    public let lastNetworkHash: String?
    /// Whether the account was deleted, or the refresh token was found copied.
    public let isEnded: Bool

    /// Reads a hash's fields; nil if there is no session.
    init?(fields: HashFields) {
        guard let uid = fields.text("uid"), let provider = fields.text("provider"),
            let signedInAt = fields.integer("signed-in"), let issuedAt = fields.integer("issued")
        else { return nil }
        self.uid = uid
        self.provider = provider
        self.signedInAt = signedInAt
        self.issuedAt = issuedAt
        tokenClaims = fields.text("claims") ?? ""
        secondFactor = SecondFactorMark(
            method: fields.text("second-factor") ?? "",
            id: fields.text("second-factor-id") ?? ""
        )
        revocation = fields.integer("revocation")
        client = fields.text("client")
        networkHash = fields.text("network")
        // Present if it differs from that of the sign-in, and empty if it is unknown.
        lastClient = (fields.text("last-client") ?? client).flatMap { $0.isEmpty ? nil : $0 }
        lastNetworkHash = (fields.text("last-network") ?? networkHash).flatMap { $0.isEmpty ? nil : $0 }
        isEnded = fields["account-deleted"] != nil || fields["reused"] != nil
    }
}
