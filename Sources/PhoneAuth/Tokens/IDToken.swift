internal import Encodings

/// The claims of an ID token. The protocol's page lists them; the Admin SDKs check `iss`, `aud`, `sub` and the times.
struct IDToken: Sendable, Confidential {
    let issuer: String
    let audience: String
    let uid: String
    /// When the user signed in, kept through refreshes; seconds.
    let authTime: Int64
    /// Seconds.
    let issuedAt: Int64
    /// Seconds.
    let expiresAt: Int64
    let phoneNumber: String?
    let displayName: String?
    let photoURL: String?
    let provider: String

    init(
        of account: Account,
        signedInAt: Instant,
        with provider: SignInProvider,
        issuedAt: Instant,
        in project: Project,
        _ policy: Policy
    ) {
        issuer = policy.issuerPrefix + project.id
        audience = project.id
        uid = account.uid
        authTime = signedInAt.seconds
        self.issuedAt = issuedAt.seconds
        expiresAt = (issuedAt + Policy.idTokenLifetime).seconds
        phoneNumber = account.phoneNumber
        displayName = account.displayName
        photoURL = account.photoURL
        self.provider = provider.rawValue
    }

    func signed(with key: SigningKey) throws(CryptographyFailure) -> String {
        try key.sign(payload)
    }

    private var payload: [UInt8] {
        JSONWriter.object { json in
            json.member("iss", issuer)
            json.member("aud", audience)
            json.member("auth_time", authTime)
            json.member("user_id", uid)
            json.member("sub", uid)
            json.member("iat", issuedAt)
            json.member("exp", expiresAt)
            if let displayName { json.member("name", displayName) }
            if let photoURL { json.member("picture", photoURL) }
            if let phoneNumber { json.member("phone_number", phoneNumber) }
            json.object("firebase") { json in
                json.object("identities") { json in
                    if let phoneNumber {
                        json.array("phone") { $0.value(phoneNumber) }
                    }
                }
                json.member("sign_in_provider", provider)
            }
        }
    }
}
