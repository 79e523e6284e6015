public import Encodings

/// An access token granted to a service account.
public struct GrantedAccess: Sendable, Confidential {
    /// The credential for `Authorization: Bearer`.
    public let token: String
    /// How long the token is valid.
    public let lifetime: Duration
}

/// Why an assertion was rejected, in the form of RFC 6749's `error_description`.
public struct GrantRefusal: Error, Equatable {
    /// One sentence.
    public let explanation: String
}

extension Authenticator {
    /// The audience that Google's client libraries use, regardless of the token endpoint in a service account's file.
    public static var googleTokenAudience: String { "https://oauth2.googleapis.com/token" }

    private static var longestAssertionLife: Int64 { 3600 }
    private static var clockTolerance: Int64 { 60 }

    /// Grants access for an assertion: a JWT, RS256, of a service account of one of `projects` (RFC 7523 § 2.1 and §
    /// 3).
    ///
    /// An assertion is valid for at most an hour, which is stricter than RFC 7523 § 3. It may be replayed within that
    /// time.
    /// - Throws: ``GrantRefusal``.
    public func grantAdminAccess(
        assertion: String,
        audiences: [String],
        projects: [Project]
    ) throws(GrantRefusal) -> GrantedAccess {
        let now = environment.now()
        guard let assertion = CompactJWT(assertion) else { throw GrantRefusal(explanation: "It is not a JWT.") }
        let issuer = assertion.text("iss")
        let candidates = projects.flatMap(\.customTokenIssuers.accounts).filter { $0.email == issuer }
        guard let account = candidates.first(where: { assertion.isSigned(by: $0) }) else {
            throw GrantRefusal(explanation: "The signature is not from a known service account.")
        }
        // Google's libraries name no subject, or the account itself. Another subject would mean impersonation, which is
        // not supported.
        if let subject = assertion.text("sub"), subject != issuer {
            throw GrantRefusal(explanation: "The subject is not the issuer.")
        }
        guard let audience = assertion.text("aud"), audiences.contains(audience) else {
            throw GrantRefusal(explanation: "The audience is wrong.")
        }
        guard let issuedAt = assertion.seconds("iat"), let expiresAt = assertion.seconds("exp"),
            issuedAt <= now.seconds + Self.clockTolerance, now.seconds < expiresAt,
            expiresAt - issuedAt <= Self.longestAssertionLife
        else { throw GrantRefusal(explanation: "iat or exp is missing or out of range.") }
        let token = AdminAccessToken(mark: account.mark, expiresAt: (now + AdminAccessToken.lifetime).seconds)
        return GrantedAccess(token: token.text(keys), lifetime: AdminAccessToken.lifetime)
    }
}
