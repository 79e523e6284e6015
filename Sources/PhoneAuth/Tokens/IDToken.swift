internal import Encodings

/// The claims of an ID token. The protocol's page lists them; the Admin SDKs check `iss`, `aud`, `sub` and the times.
struct IDToken: Sendable, Confidential {
    private let issuer: String
    private let audience: String
    private let account: Account
    private let tokenClaims: CustomClaims?
    private let provider: SignInProvider
    private let secondFactor: ProvenSecondFactor?
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
        secondFactor: ProvenSecondFactor?,
        issuedAt: Instant,
        in project: Project,
        _ policy: Policy
    ) {
        issuer = policy.issuerPrefix + project.id
        audience = project.id
        self.account = account
        self.tokenClaims = tokenClaims
        self.provider = provider
        self.secondFactor = secondFactor
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
                if let secondFactor {
                    json.member("sign_in_second_factor", secondFactor.method.rawValue)
                    if let id = secondFactor.id { json.member("second_factor_identifier", id) }
                }
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

    /// What every token says for itself.
    fileprivate static let ownNames = CustomClaims.reservedNames.union([
        "user_id", "phone_number", "email", "email_verified", "provider_id",
    ])
}

extension VerifiedIDToken {
    /// The claims of the token's session, which the account does not have; nil where there are none. They go on in new tokens of
    /// the session.
    func sessionClaims(beside account: Account) -> CustomClaims? {
        let members = claims.members.filter { name, value in
            guard !IDToken.ownNames.contains(name), account.customClaims?.object[name] != value else { return false }
            // Without claims of these names, a token has the account's own.
            return !(name == "name" && value == account.displayName.map(JSONValue.string))
                && !(name == "picture" && value == account.photoURL.map(JSONValue.string))
        }
        guard !members.isEmpty else { return nil }
        var json = JSONWriter()
        json.value(.object(JSONObject(members: members)))
        return CustomClaims(stored: String(decoding: json.bytes, as: UTF8.self))
    }
}
