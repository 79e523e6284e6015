import Testing

@testable import IdentityToolkit

@Suite struct RouterTests {
    private let router = Router()

    static let operations: [(v1: String, legacy: String, endpoint: Endpoint)] = [
        ("accounts:sendVerificationCode", "sendVerificationCode", .sendVerificationCode),
        ("accounts:signInWithPhoneNumber", "verifyPhoneNumber", .signInWithPhoneNumber),
        ("accounts:verifyIosClient", "verifyClient", .verifyClient),
        ("accounts:lookup", "getAccountInfo", .lookup),
        ("accounts:signUp", "signupNewUser", .signUp),
        ("accounts:signInWithCustomToken", "verifyCustomToken", .signInWithCustomToken),
        ("accounts:signInWithPassword", "verifyPassword", .signInWithPassword),
        ("accounts:createAuthUri", "createAuthUri", .createAuthURI),
        ("accounts:update", "setAccountInfo", .updateAccount),
        ("accounts:delete", "deleteAccount", .deleteAccount),
        ("projects", "getProjectConfig", .projectConfig),
        ("recaptchaParams", "getRecaptchaParam", .recaptchaParams),
        ("accounts:resetPassword", "resetPassword", .checkActionCode),
        ("accounts:sendOobCode", "getOobConfirmationCode", .notOffered),
        ("accounts:signInWithIdp", "verifyAssertion", .notOffered),
        ("accounts:signInWithEmailLink", "emailLinkSignin", .notOffered),
    ]

    @Test(
        "each operation answers on its v1 and its legacy path, with and without the production host",
        arguments: operations
    )
    func findsOperation(v1: String, legacy: String, endpoint: Endpoint) {
        for path in [
            "/v1/\(v1)",
            "/identitytoolkit.googleapis.com/v1/\(v1)",
            "/identitytoolkit/v3/relyingparty/\(legacy)",
            "/www.googleapis.com/identitytoolkit/v3/relyingparty/\(legacy)",
        ] {
            #expect(router.endpoint(path) == endpoint, "\(path)")
        }
    }

    static let others: [(path: String, endpoint: Endpoint)] = [
        ("/v1/token", .token),
        ("/securetoken.googleapis.com/v1/token", .token),
        ("/v2/recaptchaConfig", .recaptchaConfig),
        ("/identitytoolkit.googleapis.com/v2/recaptchaConfig", .recaptchaConfig),
        ("/v2/accounts/mfaEnrollment:start", .secondFactor(.startEnrollment)),
        ("/v2/accounts/mfaEnrollment:finalize", .secondFactor(.finishEnrollment)),
        ("/v2/accounts/mfaEnrollment:withdraw", .secondFactor(.withdraw)),
        ("/v2/accounts/mfaRecoveryCodes:generate", .secondFactor(.generateRecoveryCodes)),
        ("/v2/accounts/mfaSignIn:start", .secondFactor(.startSignIn)),
        ("/v2/accounts/sessions:list", .userSession(.list)),
        ("/identitytoolkit.googleapis.com/v2/accounts/sessions:end", .userSession(.end)),
        ("/identitytoolkit.googleapis.com/v2/accounts/mfaSignIn:finalize", .secondFactor(.finishSignIn)),
        ("/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com", .publicKeyCertificates),
        ("/www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com", .publicKeyCertificates),
        ("/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com", .publicKeySet),
        ("/www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com", .publicKeySet),
        ("/healthz", .health),
        ("/readyz", .readiness),
        ("/emulator/v1/projects/demo-app/verificationCodes", .verificationCodes(project: "demo-app")),
        ("/emulator/v1/projects/demo-app/accounts", .accounts(project: "demo-app")),
        ("/emulator/v1/projects/demo-app/config", .emulatorConfig(project: "demo-app")),
        ("/emulator/v1/projects/demo-app/oobCodes", .oobCodes(project: "demo-app")),
        ("/dialtone/v1/projects/demo-app/inbox", .inbox(project: "demo-app")),
        ("/v1/publicKeys", .publicKeyCertificates),
        ("/www.googleapis.com/identitytoolkit/v3/relyingparty/publicKeys", .publicKeyCertificates),
        ("/token", .grantAccess),
        ("/v1/projects/demo-app/accounts", .admin(.createAccount, project: "demo-app")),
        ("/v1/projects/demo-app/accounts:lookup", .admin(.lookup, project: "demo-app")),
        ("/v1/projects/demo-app/accounts:update", .admin(.update, project: "demo-app")),
        ("/v1/projects/demo-app/accounts:delete", .admin(.delete, project: "demo-app")),
        ("/v1/projects/demo-app/accounts:batchGet", .admin(.batchGet, project: "demo-app")),
        ("/v1/projects/demo-app/accounts:batchCreate", .admin(.batchCreate, project: "demo-app")),
        ("/v1/projects/demo-app/accounts:batchDelete", .admin(.batchDelete, project: "demo-app")),
        ("/v1/projects/demo-app/accounts:query", .admin(.query, project: "demo-app")),
        (
            "/identitytoolkit.googleapis.com/v1/projects/demo-app:createSessionCookie",
            .admin(.createSessionCookie, project: "demo-app")
        ),
        ("/v2/projects/demo-app/config", .admin(.config, project: "demo-app")),
        ("/admin/v2/projects/demo-app/config", .admin(.config, project: "demo-app")),
        ("/identitytoolkit.googleapis.com/v2/projects/demo-app/config", .admin(.config, project: "demo-app")),
    ]

    @Test("the other paths are found in all of their forms", arguments: others)
    func findsOther(path: String, endpoint: Endpoint) {
        #expect(router.endpoint(path) == endpoint)
    }

    @Test("the start page is there")
    func startPage() {
        guard case .tryItAsset = router.endpoint("/") else {
            Issue.record("no start page")
            return
        }
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
            "/v1/projects/é/accounts",
        ]
    )
    func unknown(path: String) {
        #expect(router.endpoint(path) == nil)
    }

    @Test(
        "no path answers behind the name of a host that is not its own",
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
        #expect(router.endpoint(path) == nil)
    }

    @Test("calls that change something take POST, PATCH or DELETE; questions take GET")
    func methods() {
        for endpoint in [
            Endpoint.sendVerificationCode, .signInWithPhoneNumber, .verifyClient, .token, .lookup, .notOffered,
        ] {
            #expect(endpoint.methods == [.post])
        }
        for endpoint in [
            Endpoint.projectConfig, .recaptchaParams, .recaptchaConfig, .publicKeyCertificates, .publicKeySet, .health,
            .readiness, .verificationCodes(project: ""), .oobCodes(project: ""), .inbox(project: ""), .tryItAsset(0),
        ] {
            #expect(endpoint.methods == [.get])
        }
        #expect(Endpoint.accounts(project: "").methods == [.delete])
        #expect(Endpoint.emulatorConfig(project: "").methods == [.get, .patch])
        #expect(Endpoint.admin(.config, project: "").methods == [.get, .patch])
    }

    static let methodNames: [(name: String?, method: Method)] = [
        ("GET", .get), ("HEAD", .head), ("POST", .post), ("PATCH", .patch), ("DELETE", .delete), ("OPTIONS", .options),
        ("PUT", .other), ("get", .other), ("Post", .other), ("", .other), (" GET", .other), ("GET ", .other),
        ("other", .other), (nil, .other),
    ]

    @Test("methods are read to the letter", arguments: methodNames)
    func method(name: String?, method: Method) {
        #expect(Method(name) == method)
    }
}
