public import Encodings

/// The claims of an ID token, or of a session cookie. The protocol's page lists them; the Admin SDKs check `iss`,
/// `aud`, `sub` and the times.
public struct IDToken: Sendable, Confidential {
    /// The lifetime of an ID token: the protocol's one hour.
    public static let lifetime: Duration = .seconds(3600)

    private let issuer: String
    private let audience: String
    private let account: Account
    private let session: UserSession
    private let revocation: Int64
    /// In seconds since the Unix epoch.
    private let issuedAt: Int64
    /// In seconds since the Unix epoch.
    private let expiresAt: Int64

    /// Creates a token of a session, issued while the account's revocation counter is `revocation`.
    init(
        of account: Account,
        in session: UserSession,
        revocation: Int64?,
        issuedAt: Instant,
        lifetime: Duration = IDToken.lifetime,
        kind: TokenKind = .idToken,
        in project: Project
    ) {
        issuer = project.issuer(of: kind)
        audience = project.id
        self.account = account
        self.session = session
        self.revocation = revocation ?? 0
        self.issuedAt = issuedAt.seconds
        expiresAt = (issuedAt + lifetime).seconds
    }

    fileprivate var payload: [UInt8] {
        let customClaims = customClaims
        return JSONWriter.object { json in
            json.member("iss", issuer)
            json.member("aud", audience)
            json.member("auth_time", session.signedInAt.seconds)
            json.member("user_id", account.uid)
            json.member("sub", account.uid)
            json.member("iat", issuedAt)
            json.member("exp", expiresAt)
            if let name = account.displayName, customClaims["name"] == nil { json.member("name", name) }
            if let picture = account.photoURL, customClaims["picture"] == nil { json.member("picture", picture) }
            for (name, value) in customClaims.members { json.member(name, value) }
            if let email = account.email {
                json.member("email", email)
                json.member("email_verified", account.isEmailVerified)
            }
            if let phoneNumber = account.phoneNumber { json.member("phone_number", phoneNumber) }
            if session.provider == .anonymous { json.member("provider_id", session.provider.rawValue) }
            json.object("firebase") { json in
                json.object("identities") { json in
                    if let phoneNumber = account.phoneNumber {
                        json.array("phone") { $0.value(phoneNumber) }
                    }
                    if let email = account.email { json.array("email") { $0.value(email) } }
                }
                json.member("sign_in_provider", session.provider.claim)
                if let secondFactor = session.secondFactor {
                    json.member("sign_in_second_factor", secondFactor.method.rawValue)
                    if let id = secondFactor.id { json.member("second_factor_identifier", id) }
                }
                // Ours. `firebase` is a reserved name, so neither custom tokens nor hooks nor operators can set them.
                json.member("session_id", session.id)
                json.member("revocation", revocation)
            }
        }
    }

    /// The account's claims and the token's own, which take precedence, without the claims that every token sets
    /// itself. Each name occurs once: parsers do not agree on which of two duplicates counts (RFC 7519 § 4).
    private var customClaims: JSONObject {
        var members: [(name: String, value: JSONValue)] = []
        for claims in [account.customClaims, session.claims] {
            for (name, value) in claims?.object.members ?? [] where !Self.ownNames.contains(name) {
                members.removeAll { $0.name == name }
                members.append((name, value))
            }
        }
        return JSONObject(members: members)
    }

    /// The claims that every token sets itself.
    private static let ownNames = CustomClaims.reservedNames.union([
        "user_id", "phone_number", "email", "email_verified", "provider_id",
    ])
}

extension OperationContext {
    /// Signs a token with the current key.
    /// - Throws: ``OperationFailure/cryptographyFailed``.
    func sign(_ token: IDToken) throws(OperationFailure) -> String {
        do {
            let signed = try keys.signingKey(at: now).sign(token.payload)
            return policy.development?.issued(signed) ?? signed
        } catch {
            throw .cryptographyFailed
        }
    }
}
