internal import RedisScripts

/// A user's session as stored in its hash: begun by one sign-in, and named by its refresh token and its ID tokens.
public struct UserSessionRecord: Sendable {
    /// The account's `localId`.
    let uid: String
    /// The sign-in provider.
    let provider: String
    /// When the user signed in; milliseconds since the Unix epoch. Constant for the life of the session.
    let signedInAt: Int64
    /// When its refresh token was issued; milliseconds since the Unix epoch.
    let issuedAt: Int64
    /// The session's own claims, a JSON object; empty if it has none.
    let tokenClaims: String
    /// The second factor that the user has proven; nil if none was required.
    let secondFactor: SecondFactorMark?
    /// The account's revocation counter when the refresh token was issued.
    let revocation: Int64
    /// The revocation counter of the session's former ID tokens, which a change by the session itself revoked, and
    /// until when `lookup` accepts them nevertheless (milliseconds since the Unix epoch); nil if there are none.
    let former: (revocation: Int64, last: Int64)?
    /// The client name that the client reported at the sign-in; nil if it reported none.
    let client: String?
    /// A keyed hash of the client's network at the sign-in, the same as in the audit log.
    let networkHash: String?
    /// The client name that the client reported when the session last got tokens; nil if it reported none.
    let lastClient: String?
    /// A keyed hash of the client's network when the session last got tokens; nil if unknown.
    let lastNetworkHash: String?
    /// Whether the account was deleted, or reuse of the refresh token was detected.
    let isEnded: Bool

    /// Reads the fields of a hash. Returns nil if there is no session.
    init?(fields: HashFields) {
        guard let uid = fields.text("uid"), let provider = fields.text("provider"),
            let signedInAt = fields.integer("signed-in"), let issuedAt = fields.integer("issued"),
            let revocation = fields.integer("revocation")
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
        self.revocation = revocation
        let former = fields.text("former")?.split(separator: " ").prefix(2).compactMap { Int64($0) } ?? []
        self.former = former.count == 2 ? (former[0], former[1]) : nil
        client = fields.text("client")
        networkHash = fields.text("network")
        // Present only if it differs from the value at the sign-in; empty if unknown.
        lastClient = (fields.text("last-client") ?? client).flatMap { $0.isEmpty ? nil : $0 }
        lastNetworkHash = (fields.text("last-network") ?? networkHash).flatMap { $0.isEmpty ? nil : $0 }
        isEnded = fields["account-deleted"] != nil || fields["reused"] != nil
    }
}
