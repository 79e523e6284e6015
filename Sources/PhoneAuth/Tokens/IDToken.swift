internal import Encodings

/// The claims of an ID token. The protocol's page lists them; the Admin SDKs check `iss`, `aud`, `sub` and the times.
struct IDToken: Sendable, Confidential {
    private let issuer: String
    private let audience: String
    private let account: Account
    private let tokenClaims: CustomClaims?
    private let provider: SignInProvider
    /// When the user signed in, kept through refreshes; seconds.
    private let authTime: Int64
    /// Seconds.
    private let issuedAt: Int64
    /// Seconds.
    private let expiresAt: Int64

    init(
        of account: Account,
        signedInAt: Instant,
        with provider: SignInProvider,
        _ tokenClaims: CustomClaims?,
        issuedAt: Instant,
        in project: Project,
        _ policy: Policy
    ) {
        issuer = policy.issuerPrefix + project.id
        audience = project.id
        self.account = account
        self.tokenClaims = tokenClaims
        self.provider = provider
        authTime = signedInAt.seconds
        self.issuedAt = issuedAt.seconds
        expiresAt = (issuedAt + Policy.idTokenLifetime).seconds
    }

    func signed(with key: SigningKey) throws(CryptographyFailure) -> String {
        try key.sign(payload)
    }

    private var payload: [UInt8] {
        let customClaims = customClaims
        return JSONWriter.object { json in
            json.member("iss", issuer)
            json.member("aud", audience)
            json.member("auth_time", authTime)
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
            if provider == .anonymous { json.member("provider_id", provider.rawValue) }
            json.object("firebase") { json in
                json.object("identities") { json in
                    if let phoneNumber = account.phoneNumber {
                        json.array("phone") { $0.value(phoneNumber) }
                    }
                    if let email = account.email { json.array("email") { $0.value(email) } }
                }
                json.member("sign_in_provider", provider.rawValue)
            }
        }
    }

    /// The account's claims and the token's own, which win over them; without what every token says for itself. A name
    /// stands once: readers do not agree on which of two counts (RFC 7519 § 4).
    private var customClaims: JSONObject {
        var members: [(name: String, value: JSONValue)] = []
        for claims in [account.customClaims, tokenClaims] {
            for (name, value) in claims?.object.members ?? [] where !Self.ownNames.contains(name) {
                members.removeAll { $0.name == name }
                members.append((name, value))
            }
        }
        return JSONObject(members: members)
    }

    private static let ownNames = CustomClaims.reservedNames.union([
        "user_id", "phone_number", "email", "email_verified", "provider_id",
    ])
}
