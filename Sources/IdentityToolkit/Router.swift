internal import TryItPage

/// Finds the endpoint of a path.
///
/// Every operation answers on all of its forms, with and without the production host in front of the path, because SDKs in
/// emulator mode put it there.
struct Router: Sendable {
    private let endpoints: [String: Endpoint]

    init() {
        var endpoints: [String: Endpoint] = [
            "/v2/recaptchaConfig": .recaptchaConfig,
            "/v1/token": .token,
            "/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com": .publicKeyCertificates,
            "/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com": .publicKeySet,
            "/v1/publicKeys": .publicKeyCertificates,
            "/identitytoolkit/v3/relyingparty/publicKeys": .publicKeyCertificates,
            "/token": .grantAccess,
            "/__/auth/handler": .challengePage,
            "/__/auth/challenge": .challenge,
            "/__/auth/verify": .challengeAnswer,
            "/__/auth/verifier.js": .verifierScript,
            "/healthz": .health,
            "/readyz": .readiness,
        ]
        for (names, endpoint) in Self.operations {
            endpoints["/v1/" + names.v1] = endpoint
            endpoints["/identitytoolkit/v3/relyingparty/" + names.legacy] = endpoint
        }
        for operation in SecondFactorOperation.allCases { endpoints[operation.path] = .secondFactor(operation) }
        for (index, asset) in TryItPage.assets.enumerated() { endpoints[asset.path] = .tryItAsset(index) }
        self.endpoints = endpoints
    }

    func endpoint(_ path: String) -> Endpoint? {
        endpoints[path] ?? endpoints[Self.withoutHost(path)] ?? Self.deliveryReceipt(path)
            ?? Self.adminEndpoint(path) ?? Self.developmentEndpoint(path)
    }

    private static func adminEndpoint(_ path: String) -> Endpoint? {
        AdminOperation.parse(withoutHost(path)).map { .admin($0.operation, project: $0.project) }
    }

    private static func deliveryReceipt(_ path: String) -> Endpoint? {
        let prefix = "/dialtone/v1/receipts/"
        guard path.hasPrefix(prefix) else { return nil }
        return .deliveryReceipt(gateway: String(path.dropFirst(prefix.count)))
    }

    private static let operations: [(names: (v1: String, legacy: String), Endpoint)] = [
        (("accounts:sendVerificationCode", "sendVerificationCode"), .sendVerificationCode),
        (("accounts:signInWithPhoneNumber", "verifyPhoneNumber"), .signInWithPhoneNumber),
        (("accounts:verifyIosClient", "verifyClient"), .verifyClient),
        (("accounts:lookup", "getAccountInfo"), .lookup),
        (("accounts:signUp", "signupNewUser"), .signUp),
        (("accounts:signInWithCustomToken", "verifyCustomToken"), .signInWithCustomToken),
        (("accounts:signInWithPassword", "verifyPassword"), .signInWithPassword),
        (("accounts:createAuthUri", "createAuthUri"), .createAuthURI),
        (("accounts:update", "setAccountInfo"), .updateAccount),
        (("accounts:delete", "deleteAccount"), .deleteAccount),
        (("projects", "getProjectConfig"), .projectConfig),
        (("recaptchaParams", "getRecaptchaParam"), .recaptchaParams),
        (("accounts:resetPassword", "resetPassword"), .checkActionCode),
        (("accounts:sendOobCode", "getOobConfirmationCode"), .notOffered),
        (("accounts:signInWithIdp", "verifyAssertion"), .notOffered),
        (("accounts:signInWithEmailLink", "emailLinkSignin"), .notOffered),
    ]

    private static let hosts = ["identitytoolkit.googleapis.com", "securetoken.googleapis.com", "www.googleapis.com"]

    private static func withoutHost(_ path: String) -> String {
        for host in hosts where path.dropFirst().hasPrefix(host) { return String(path.dropFirst(1 + host.count)) }
        return path
    }

    private static func developmentEndpoint(_ path: String) -> Endpoint? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].isEmpty, parts[2] == "v1", parts[3] == "projects" else { return nil }
        let project = String(parts[4])
        switch (parts[1], parts[5]) {
        case ("emulator", "verificationCodes"): return .verificationCodes(project: project)
        case ("emulator", "accounts"): return .accounts(project: project)
        case ("emulator", "config"): return .emulatorConfig(project: project)
        case ("emulator", "oobCodes"): return .oobCodes(project: project)
        case ("dialtone", "inbox"): return .inbox(project: project)
        default: return nil
        }
    }
}
