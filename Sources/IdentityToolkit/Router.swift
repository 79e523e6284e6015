internal import TryItPage

/// Maps a path to its endpoint.
///
/// Each path is declared with the one production host whose name may precede it. No other prefix is removed, and paths
/// match byte for byte. A web server's allow and deny rules by path therefore cannot be bypassed by a second spelling.
struct Router: Sendable {
    /// The endpoints of paths without parameters.
    let endpoints: [String: Endpoint]

    init() {
        var table = RouteTable()
        table.add("/v2/recaptchaConfig", on: .identityToolkit, .recaptchaConfig)
        table.add("/v1/token", on: .secureToken, .token)
        table.add(
            "/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com",
            on: .www,
            .publicKeyCertificates
        )
        table.add("/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com", on: .www, .publicKeySet)
        table.add("/v1/publicKeys", on: .identityToolkit, .publicKeyCertificates)
        table.add("/identitytoolkit/v3/relyingparty/publicKeys", on: .www, .publicKeyCertificates)
        table.add("/token", .grantAccess)
        table.add("/__/auth/handler", .challengePage)
        table.add("/__/auth/challenge", .challenge)
        table.add("/__/auth/verify", .challengeAnswer)
        table.add("/__/auth/verifier.js", .verifierScript)
        table.add("/healthz", .health)
        table.add("/readyz", .readiness)
        for (names, endpoint) in Self.operations {
            table.add("/v1/" + names.v1, on: .identityToolkit, endpoint)
            table.add("/identitytoolkit/v3/relyingparty/" + names.legacy, on: .www, endpoint)
        }
        for (name, operation) in Self.legacyAdminOperations {
            table.add("/identitytoolkit/v3/relyingparty/" + name, on: .www, .ownerOperation(operation))
        }
        for operation in SecondFactorOperation.allCases {
            table.add(operation.path, on: .identityToolkit, .secondFactor(operation))
        }
        for operation in UserSessionOperation.allCases {
            table.add(operation.path, on: .identityToolkit, .userSession(operation))
        }
        for (index, asset) in TryItPage.assets.enumerated() { table.add(asset.path, .tryItAsset(index)) }
        endpoints = table.endpoints
    }

    func endpoint(_ path: String) -> Endpoint? {
        if let endpoint = endpoints[path] { return endpoint }
        guard Self.isNormalized(path) else { return nil }
        return Self.deliveryReceipt(path) ?? Self.adminEndpoint(path) ?? Self.developmentEndpoint(path)
    }

    /// Returns whether a path has only one spelling: its segments consist of unreserved characters, `:` and `@`, and
    /// none is empty, `.` or `..`.
    ///
    /// nginx decodes and normalizes paths before it selects a location. Anything else that is left was encoded twice,
    /// or comes from a front end that does not normalize.
    private static func isNormalized(_ path: String) -> Bool {
        guard path.utf8.first == UInt8(ascii: "/") else { return false }
        return path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .allSatisfy { segment in
                !segment.isEmpty && !segment.elementsEqual(".".utf8) && !segment.elementsEqual("..".utf8)
                    && segment.allSatisfy(mayStandInSegment)
            }
    }

    private static func mayStandInSegment(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: ":"), UInt8(ascii: "@"):
            true
        default: false
        }
    }

    private static func adminEndpoint(_ path: String) -> Endpoint? {
        AdminOperation.parse(path).map { .admin($0.operation, project: $0.project) }
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

    /// Operations of old Admin SDKs, which send the project in the body.
    private static let legacyAdminOperations: [(name: String, AdminOperation)] = [
        ("downloadAccount", .batchGet), ("uploadAccount", .batchCreate),
    ]

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

/// The endpoints of paths without parameters, by every accepted spelling.
private struct RouteTable {
    private(set) var endpoints: [String: Endpoint] = [:]

    /// Adds a path, and the same path prefixed with the name of its production host if it has one.
    mutating func add(_ path: String, on host: ProductionHost? = nil, _ endpoint: Endpoint) {
        endpoints[path] = endpoint
        if let host { endpoints[host.path(path)] = endpoint }
    }
}
