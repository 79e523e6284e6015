/// The endpoint of a path.
enum Endpoint: Hashable, Sendable {
    // MARK: The protocol's
    case sendVerificationCode
    case signInWithPhoneNumber
    case verifyClient
    case token
    case lookup
    case signUp
    case signInWithCustomToken
    case signInWithPassword
    case createAuthURI
    case updateAccount
    case deleteAccount
    case secondFactor(SecondFactorOperation)
    case userSession(UserSessionOperation)
    /// The SDKs' `checkActionCode`, and password reset, which is not supported.
    case checkActionCode
    case projectConfig
    case recaptchaParams
    case recaptchaConfig
    case publicKeyCertificates
    case publicKeySet
    /// E-mail links and identity providers, which are not supported.
    case notOffered

    // MARK: Operators'
    case admin(AdminOperation, project: String)
    /// The token endpoint of service accounts.
    case grantAccess

    // MARK: The challenge page's
    case challengePage
    case challenge
    case challengeAnswer
    case verifierScript

    // MARK: The SMS gateways'
    case deliveryReceipt(gateway: String)

    // MARK: The load balancer's
    case health
    case readiness

    // MARK: Development mode's
    /// An admin operation on a path without a project, authorized by `Authorization: Bearer owner`.
    case ownerOperation(AdminOperation)
    case verificationCodes(project: String)
    case accounts(project: String)
    case emulatorConfig(project: String)
    case oobCodes(project: String)
    case inbox(project: String)
    case tryItAsset(Int)

    /// The name in logs. Paths are not logged, because they are client-supplied text.
    var name: String {
        switch self {
        case .sendVerificationCode: "sendVerificationCode"
        case .signInWithPhoneNumber: "signInWithPhoneNumber"
        case .verifyClient: "verifyClient"
        case .token: "token"
        case .lookup: "lookup"
        case .signUp: "signUp"
        case .signInWithCustomToken: "signInWithCustomToken"
        case .signInWithPassword: "signInWithPassword"
        case .createAuthURI: "createAuthUri"
        case .updateAccount: "update"
        case .deleteAccount: "delete"
        case .secondFactor(let operation): operation.rawValue
        case .userSession(let operation): operation.rawValue
        case .checkActionCode: "resetPassword"
        case .projectConfig: "projects"
        case .recaptchaParams: "recaptchaParams"
        case .recaptchaConfig: "recaptchaConfig"
        case .publicKeyCertificates: "publicKeyCertificates"
        case .publicKeySet: "publicKeySet"
        case .notOffered: "notOffered"
        case .admin(let operation, _): "admin." + operation.rawValue
        case .grantAccess: "grantAccess"
        case .challengePage: "challengePage"
        case .challenge: "challenge"
        case .challengeAnswer: "challengeAnswer"
        case .verifierScript: "verifierScript"
        case .deliveryReceipt: "deliveryReceipt"
        case .health: "healthz"
        case .readiness: "readyz"
        case .ownerOperation(let operation): "admin." + operation.rawValue
        case .verificationCodes: "verificationCodes"
        case .accounts: "accounts"
        case .emulatorConfig: "config"
        case .oobCodes: "oobCodes"
        case .inbox: "inbox"
        case .tryItAsset: "tryIt"
        }
    }

    /// The clients for which an endpoint exists.
    enum Audience {
        case everyone
        /// Requests on the admin listener.
        case operators
        /// Everyone in development mode, no one in production.
        case developers
    }

    var audience: Audience {
        switch self {
        case .admin, .grantAccess: .operators
        case .ownerOperation, .verificationCodes, .accounts, .emulatorConfig, .oobCodes, .inbox, .tryItAsset:
            .developers
        default: .everyone
        }
    }

    /// Whether the endpoint looks up identifiers or counts clients by a keyed hash. The other endpoints keep working
    /// while the index key is rotated, so signed-in users notice nothing.
    var needsIndexKey: Bool {
        switch self {
        case .token, .lookup, .projectConfig, .recaptchaParams, .recaptchaConfig, .checkActionCode, .notOffered,
            .publicKeyCertificates, .publicKeySet, .grantAccess, .challengePage, .verifierScript, .deliveryReceipt,
            .health, .readiness, .verificationCodes, .emulatorConfig, .oobCodes, .inbox, .tryItAsset:
            false
        case .sendVerificationCode, .signInWithPhoneNumber, .verifyClient, .signUp, .signInWithCustomToken,
            .signInWithPassword, .createAuthURI, .updateAccount, .deleteAccount, .secondFactor, .userSession, .admin,
            .challenge, .challengeAnswer, .ownerOperation, .accounts:
            true
        }
    }

    var methods: [Method] {
        switch self {
        case .sendVerificationCode, .signInWithPhoneNumber, .verifyClient, .token, .lookup, .signUp,
            .signInWithCustomToken, .signInWithPassword, .createAuthURI, .updateAccount, .deleteAccount, .notOffered,
            .secondFactor, .userSession, .checkActionCode, .challenge, .challengeAnswer, .grantAccess:
            [.post]
        case .admin(let operation, _): operation.methods
        case .ownerOperation: [.post]
        // Vonage sends a query string or a body, depending on its account settings.
        case .deliveryReceipt: [.post, .get]
        case .accounts: [.delete]
        case .emulatorConfig: [.get, .patch]
        default: [.get]
        }
    }
}
