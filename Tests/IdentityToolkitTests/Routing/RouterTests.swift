import Testing

@testable import IdentityToolkit

@Suite struct RouterTests {
    private let router = Router()

    /// Returns the name of a path's route, and the value of the path's parameter.
    private func found(_ path: String) -> [String]? {
        router.match(path).map { match in
            match.parameter.isEmpty ? [match.any.name] : [match.any.name, match.parameter]
        }
    }

    static let operations: [(v1: String, legacy: String, name: String)] = [
        ("accounts:sendVerificationCode", "sendVerificationCode", "sendVerificationCode"),
        ("accounts:signInWithPhoneNumber", "verifyPhoneNumber", "signInWithPhoneNumber"),
        ("accounts:verifyIosClient", "verifyClient", "verifyClient"),
        ("accounts:lookup", "getAccountInfo", "lookup"),
        ("accounts:signUp", "signupNewUser", "signUp"),
        ("accounts:signInWithCustomToken", "verifyCustomToken", "signInWithCustomToken"),
        ("accounts:signInWithPassword", "verifyPassword", "signInWithPassword"),
        ("accounts:createAuthUri", "createAuthUri", "createAuthUri"),
        ("accounts:update", "setAccountInfo", "update"),
        ("accounts:delete", "deleteAccount", "delete"),
        ("projects", "getProjectConfig", "projects"),
        ("recaptchaParams", "getRecaptchaParam", "recaptchaParams"),
        ("accounts:resetPassword", "resetPassword", "resetPassword"),
        ("accounts:sendOobCode", "getOobConfirmationCode", "sendOobCode"),
        ("accounts:signInWithIdp", "verifyAssertion", "notOffered"),
        ("accounts:signInWithEmailLink", "emailLinkSignin", "signInWithEmailLink"),
    ]

    @Test(
        "each operation has its v1 and legacy path, with and without the production host",
        arguments: operations
    )
    func findsOperation(v1: String, legacy: String, name: String) {
        for path in [
            "/v1/\(v1)",
            "/identitytoolkit.googleapis.com/v1/\(v1)",
            "/identitytoolkit/v3/relyingparty/\(legacy)",
            "/www.googleapis.com/identitytoolkit/v3/relyingparty/\(legacy)",
        ] {
            #expect(found(path) == [name], "\(path)")
        }
    }

    static let others: [(path: String, found: [String])] = [
        ("/v1/token", ["token"]),
        ("/securetoken.googleapis.com/v1/token", ["token"]),
        ("/v2/recaptchaConfig", ["recaptchaConfig"]),
        ("/identitytoolkit.googleapis.com/v2/recaptchaConfig", ["recaptchaConfig"]),
        ("/v2/passwordPolicy", ["passwordPolicy"]),
        ("/identitytoolkit.googleapis.com/v2/passwordPolicy", ["passwordPolicy"]),
        ("/v2/accounts/mfaEnrollment:start", ["mfaEnrollment.start"]),
        ("/v2/accounts/mfaEnrollment:finalize", ["mfaEnrollment.finalize"]),
        ("/v2/accounts/mfaEnrollment:withdraw", ["mfaEnrollment.withdraw"]),
        ("/v2/accounts/mfaRecoveryCodes:generate", ["mfaRecoveryCodes.generate"]),
        ("/v2/accounts/authorizationCodes:issue", ["authorizationCodes.issue"]),
        ("/v2/accounts/mfaSignIn:start", ["mfaSignIn.start"]),
        ("/v2/accounts/sessions:list", ["sessions.list"]),
        ("/identitytoolkit.googleapis.com/v2/accounts/sessions:end", ["sessions.end"]),
        ("/identitytoolkit.googleapis.com/v2/accounts/mfaSignIn:finalize", ["mfaSignIn.finalize"]),
        ("/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com", ["publicKeyCertificates"]),
        (
            "/www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com",
            ["publicKeyCertificates"]
        ),
        ("/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com", ["publicKeySet"]),
        ("/www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com", ["publicKeySet"]),
        ("/healthz", ["healthz"]),
        ("/readyz", ["readyz"]),
        ("/emulator/v1/projects/demo-app/verificationCodes", ["verificationCodes", "demo-app"]),
        ("/emulator/v1/projects/demo-app/accounts", ["accounts", "demo-app"]),
        ("/emulator/v1/projects/demo-app/config", ["config", "demo-app"]),
        ("/emulator/v1/projects/demo-app/oobCodes", ["oobCodes", "demo-app"]),
        ("/dialtone/v1/projects/demo-app/inbox", ["inbox", "demo-app"]),
        ("/v1/publicKeys", ["publicKeyCertificates"]),
        ("/www.googleapis.com/identitytoolkit/v3/relyingparty/publicKeys", ["publicKeyCertificates"]),
        ("/token", ["grantAccess"]),
        ("/v1/projects/demo-app/accounts:listSessions", ["admin.listSessions", "demo-app"]),
        ("/v1/projects/demo-app/accounts:endSession", ["admin.endSession", "demo-app"]),
        ("/dialtone/v1/receipts/gateway", ["deliveryReceipt", "gateway"]),
        ("/identitytoolkit/v3/relyingparty/downloadAccount", ["admin.batchGet"]),
        ("/www.googleapis.com/identitytoolkit/v3/relyingparty/uploadAccount", ["admin.batchCreate"]),
        ("/__/auth/handler", ["challengePage"]),
        ("/__/auth/challenge", ["challenge"]),
        ("/__/auth/verify", ["challengeAnswer"]),
        ("/__/auth/verifier.js", ["scriptForWebApps"]),
        ("/__/auth/dialtone.js", ["scriptForWebApps"]),
        ("/__/auth/dialtone.d.ts", ["scriptForWebApps"]),
        ("/__/auth/account", ["accountPage"]),
        ("/__/auth/action", ["actionPage"]),
        ("/__/auth/links", ["actionPage"]),
        ("/__/auth/account.js", ["scriptForWebApps"]),
        ("/__/auth/account-0123456789abcdef.js", ["accountModule", "0123456789abcdef"]),
        ("/", ["tryIt"]),
        ("/v1/projects/demo-app/accounts", ["admin.createAccount", "demo-app"]),
        ("/v1/projects/demo-app/accounts:lookup", ["admin.lookup", "demo-app"]),
        ("/v1/projects/demo-app/accounts:update", ["admin.update", "demo-app"]),
        ("/v1/projects/demo-app/accounts:delete", ["admin.delete", "demo-app"]),
        ("/v1/projects/demo-app/accounts:batchGet", ["admin.batchGet", "demo-app"]),
        ("/v1/projects/demo-app/accounts:batchCreate", ["admin.batchCreate", "demo-app"]),
        ("/v1/projects/demo-app/accounts:batchDelete", ["admin.batchDelete", "demo-app"]),
        ("/v1/projects/demo-app/accounts:query", ["admin.query", "demo-app"]),
        (
            "/identitytoolkit.googleapis.com/v1/projects/demo-app:createSessionCookie",
            ["admin.createSessionCookie", "demo-app"]
        ),
        ("/v2/projects/demo-app/config", ["admin.config", "demo-app"]),
        ("/admin/v2/projects/demo-app/config", ["admin.config", "demo-app"]),
        ("/identitytoolkit.googleapis.com/v2/projects/demo-app/config", ["admin.config", "demo-app"]),
    ]

    @Test("all other paths are found in all their forms", arguments: others)
    func findsOther(path: String, found: [String]) {
        #expect(self.found(path) == found)
    }

    @Test(
        "every other path is unknown",
        arguments: [
            "", "//", "/v1", "/v1/", "/v1/accounts", "/v1/accounts:", "/v1/accounts:sendverificationcode",
            "/V1/accounts:lookup", "/v1/accounts:lookup/", "//v1/accounts:lookup", "/v1//accounts:lookup",
            "/v1/accounts:lookup?key=x", "/v1/accounts%3Alookup", "/v2/accounts:lookup", "/v3/accounts:lookup",
            "/v1/getAccountInfo", "/v1/verifyPhoneNumber", "/v1/sendVerificationCode", "/v1/recaptchaConfig",
            "/identitytoolkit/v3/relyingparty/accounts:lookup", "/identitytoolkit/v3/relyingparty/",
            "/identitytoolkit/v3/relyingparty/VerifyPhoneNumber", "/identitytoolkit/v1/relyingparty/verifyPhoneNumber",
            "/identitytoolkit.googleapis.com", "/identitytoolkit.googleapis.com/v1",
            "/identitytoolkit.googleapis.comv1/token", "/identitytoolkit.googleapis.com//v1/token",
            "/identitytoolkit.googleapis.com/identitytoolkit.googleapis.com/v1/accounts:lookup",
            "/identitytoolkit.googleapis.org/v1/accounts:lookup", "/example.com/v1/accounts:lookup",
            "/securetoken.googleapis.com/v1/tokens", "/v1/accounts:signup", "/v1/setAccountInfo",
            "/v2/accounts/mfaEnrollment", "/v1/accounts/mfaEnrollment:start", "/v2/accounts/mfaSignIn:withdraw",
            "/v1/projects/demo-app/accounts/", "/v1/projects//accounts", "/v1/projects/demo-app",
            "/v1/projects/a/b:lookup",
            "/v1/projects/demo-app/accounts:signUp", "/v1/projects/demo-app/accounts:createAccount",
            "/v2/projects/demo-app/accounts:lookup", "/v1/projects/demo-app/config", "/v2/projects/a/b/config",
            "/v1/projects/demo-app:lookup", "/token/", "/healthz/", "/health",
            "/readyz2",
            "/emulator/v1/projects/demo-app", "/emulator/v1/projects/demo-app/inbox",
            "/emulator/v2/projects/demo-app/config", "/emulator/v1/projects/demo-app/config/",
            "/emulator/v1/projects/a/b/config", "emulator/v1/projects/demo-app/config",
            "/dialtone/v1/projects/demo-app/config", "/dialtone/v1/projects/demo-app/verificationCodes",
            "/robot/v1/metadata/x509/", "/../v1/token", "/v1/token\0", "/v1/tokén",
            "/emulator/v1/projects//config", "/emulator/v1/projects/../config", "/dialtone/v1/receipts/",
            "/dialtone/v1/receipts/a%2Fb", "/v1/projects/%64emo/accounts", "/v1/projects/./accounts:lookup",
            "/v1/projects/../accounts", "/v1/projects/a b/accounts", "/v1/projects/a\\b/accounts",
            "/v1/projects/a;b/accounts", "/v1/projects/a?b/accounts", "/v1/projects/a\0/accounts",
            "/v1/projects/é/accounts", "/v1/public\u{212A}eys", "/dialtone/v1/receipts/\u{212A}",
        ]
    )
    func unknown(path: String) {
        #expect(router.match(path) == nil)
    }

    @Test(
        "no path is served under the host name of another API",
        arguments: [
            "/www.googleapis.com/v1/accounts:lookup", "/securetoken.googleapis.com/v1/accounts:lookup",
            "/identitytoolkit.googleapis.com/identitytoolkit/v3/relyingparty/getAccountInfo",
            "/identitytoolkit.googleapis.com/v1/token", "/www.googleapis.com/v1/token",
            "/www.googleapis.com/v2/accounts/mfaSignIn:start", "/www.googleapis.com/v1/projects/demo-app/accounts",
            "/securetoken.googleapis.com/v1/projects/demo-app/accounts:lookup",
            "/www.googleapis.com/v2/projects/demo-app/config", "/securetoken.googleapis.com/admin/v2/projects/a/config",
            "/www.googleapis.com/token", "/securetoken.googleapis.com/token", "/identitytoolkit.googleapis.com/token",
            "/identitytoolkit.googleapis.com/healthz", "/www.googleapis.com/__/auth/handler", "/www.googleapis.com/",
            "/securetoken.googleapis.com/dialtone/v1/receipts/gateway",
        ]
    )
    func otherHost(path: String) {
        #expect(router.match(path) == nil)
    }

    @Test("requests that change something need POST, PATCH or DELETE; the others need GET")
    func methods() {
        func methods(_ path: String) -> [Method]? { router.match(path)?.routes.flatMap(\.methods) }
        for path in [
            "/v1/accounts:sendVerificationCode", "/v1/accounts:signInWithPhoneNumber", "/v1/accounts:verifyIosClient",
            "/v1/token", "/v1/accounts:lookup", "/v1/accounts:sendOobCode", "/v1/projects/a/accounts", "/token",
        ] {
            #expect(methods(path) == [.post], "\(path)")
        }
        for path in [
            "/v1/projects", "/v1/recaptchaParams", "/v2/recaptchaConfig", "/v2/passwordPolicy", "/v1/publicKeys",
            "/healthz",
            "/readyz", "/",
            "/emulator/v1/projects/a/verificationCodes", "/emulator/v1/projects/a/oobCodes",
            "/dialtone/v1/projects/a/inbox", "/v1/projects/a/accounts:batchGet",
        ] {
            #expect(methods(path) == [.get], "\(path)")
        }
        #expect(methods("/emulator/v1/projects/a/accounts") == [.delete])
        #expect(methods("/emulator/v1/projects/a/config") == [.get, .patch])
        #expect(methods("/admin/v2/projects/a/config") == [.get, .patch])
        #expect(methods("/dialtone/v1/receipts/a") == [.post, .get])
    }

    @Test("routes with the same path have the same name and audience, and no method twice")
    func samePath() {
        for (path, routes) in Dictionary(
            grouping: IdentityToolkitHandler.routes.flatMap { route in route.paths.map { ($0, route) } },
            by: \.0
        ) {
            let routes = routes.map(\.1)
            #expect(Set(routes.map(\.name)).count == 1 && Set(routes.map(\.audience)).count == 1, "\(path)")
            let methods = routes.flatMap(\.methods)
            #expect(Set(methods).count == methods.count, "\(path)")
        }
    }

    static let methodNames: [(name: String?, method: Method)] = [
        ("GET", .get), ("HEAD", .head), ("POST", .post), ("PATCH", .patch), ("DELETE", .delete), ("OPTIONS", .options),
        ("PUT", .other), ("get", .other), ("Post", .other), ("", .other), (" GET", .other), ("GET ", .other),
        ("other", .other), (nil, .other),
    ]

    @Test("methods are case-sensitive", arguments: methodNames)
    func method(name: String?, method: Method) {
        #expect(Method(name) == method)
    }
}
