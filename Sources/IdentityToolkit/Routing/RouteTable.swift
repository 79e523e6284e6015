internal import ChallengePages
internal import FastCGI
internal import PhoneAuth
internal import TryItPage

/// Every route: method, path, production host and path of version 3 (`v3`), name in logs, guard, traits, and the
/// static function that answers.
///
/// `{project}` and `{gateway}` each match one segment of a path. Two rows may have the same path and different methods;
/// their names, audiences and guards are then the same.
extension IdentityToolkitHandler {
    static let routes =
        signInRoutes + accountRoutes + secondFactorRoutes + pageRoutes + serverRoutes + adminRoutes + operatorPageRoutes
        + developmentRoutes

    // MARK: Apps

    private static let signInRoutes: [Route] = [
        .user(
            .post,
            "/v1/accounts:sendVerificationCode",
            v3: "sendVerificationCode",
            sendVerificationCode,
            [.explained, .repeatable]
        ),
        .user(
            .post,
            "/v1/accounts:signInWithPhoneNumber",
            v3: "verifyPhoneNumber",
            signInWithPhoneNumber,
            [.explained, .hooked, .keyed, .repeatable]
        ),
        .user(
            .post,
            "/v1/accounts:verifyIosClient",
            v3: "verifyClient",
            name: "verifyClient",
            verifyClient,
            .repeatable
        ),
        .user(.post, "/v1/accounts:signUp", v3: "signupNewUser", signUp, [.hooked, .keyed], owner: createAccount),
        .user(.post, "/v1/accounts:signInWithCustomToken", v3: "verifyCustomToken", signInWithCustomToken, .keyed),
        .user(.post, "/v1/accounts:signInWithPassword", v3: "verifyPassword", signInWithPassword, [.hooked, .keyed]),
        .user(.post, "/v1/accounts:createAuthUri", v3: "createAuthUri", createAuthURI),
        .notOffered("/v1/accounts:signInWithIdp", v3: "verifyAssertion"),
        .user(
            .post,
            "/v1/accounts:signInWithEmailLink",
            v3: "emailLinkSignin",
            signInWithEmailLink,
            [.explained, .hooked, .keyed, .repeatable]
        ),
        .user(
            .post,
            "/v1/accounts:sendOobCode",
            v3: "getOobConfirmationCode",
            sendOobCode,
            [.explained, .ownerFirst, .repeatable],
            owner: sendOobCode
        ),
    ]

    private static let accountRoutes: [Route] = [
        .user(.post, "/v1/token", on: .secureToken, token, [.form, .plainTextFaults, .repeatable, .cheap]),
        .user(
            .post,
            "/v1/accounts:lookup",
            v3: "getAccountInfo",
            lookup,
            [.plainTextFaults, .repeatable, .cheap],
            owner: lookUpAccounts
        ),
        .user(
            .post,
            "/v1/accounts:update",
            v3: "setAccountInfo",
            updateAccount,
            [.hooked, .keyed],
            owner: changeAccount
        ),
        .user(
            .post,
            "/v1/accounts:delete",
            v3: "deleteAccount",
            deleteAccount,
            [.ownerFirst, .repeatable, .cheap],
            owner: removeAccount
        ),
        .user(
            .post,
            "/v1/accounts:resetPassword",
            v3: "resetPassword",
            resetPassword,
            [.explained, .keyed, .repeatable]
        ),
        // Extensions: the protocol has no list of sessions.
        .user(.post, "/v2/accounts/sessions:list", listUserSessions),
        .user(.post, "/v2/accounts/sessions:end", endUserSession),
    ]

    private static let secondFactorRoutes: [Route] = [
        .user(.post, "/v2/accounts/mfaEnrollment:start", startEnrollment, [.explained, .repeatable]),
        .user(.post, "/v2/accounts/mfaEnrollment:finalize", finishEnrollment, [.explained, .hooked, .keyed]),
        .user(.post, "/v2/accounts/mfaEnrollment:withdraw", withdrawSecondFactor, .explained),
        // An extension: the protocol has no recovery codes.
        .user(.post, "/v2/accounts/mfaRecoveryCodes:generate", generateRecoveryCodes, .explained),
        .user(.post, "/v2/accounts/mfaSignIn:start", startSecondFactorSignIn, [.explained, .repeatable]),
        .user(
            .post,
            "/v2/accounts/mfaSignIn:finalize",
            finishSecondFactorSignIn,
            [.explained, .hooked, .keyed, .repeatable]
        ),
    ]

    /// What SDKs request before sign-in, and the challenge page.
    private static let pageRoutes: [Route] =
        [
            .user(.get, "/v1/projects", v3: "getProjectConfig", projectConfig),
            .user(.get, "/v1/recaptchaParams", v3: "getRecaptchaParam", recaptchaParams),
            .user(.get, "/v2/recaptchaConfig", recaptchaConfig),
            .user(.get, "/v2/passwordPolicy", passwordPolicy),
            // Extensions, for sign-in pages.
            .open(.get, at: "/v2/signInConfig", on: .identityToolkit, signInConfig, .compressed),
            .user(.post, "/v2/parsePhoneNumber", parsePhoneNumber, [.repeatable, .cheap]),
            .user(.post, "/v2/accounts/authorizationCodes:issue", issueAuthorizationCode),
            .open(.get, at: "/__/auth/handler", name: "challengePage", challengePage, .page),
            .open(.get, at: WebComponent.signIn.pagePath, name: "signInPage", signInPage, .page),
            .open(.get, at: WebComponent.account.pagePath, name: "accountPage", accountPage, .page),
            .open(.get, at: "/__/auth/action", name: "actionPage", actionPage, .page),
            .open(.get, at: "/__/auth/links", name: "actionPage", actionPage, .page),
            .open(
                .get,
                at: ComponentModule.pathOfAnyVersion(.signIn),
                name: "signInModule",
                signInModule,
                .compressed
            ),
            .open(
                .get,
                at: ComponentModule.pathOfAnyVersion(.account),
                name: "accountModule",
                accountModule,
                .compressed
            ),
            .open(.post, at: "/__/auth/challenge", challenge, .repeatable),
            .open(.post, at: "/__/auth/verify", name: "challengeAnswer", challengeAnswer, .repeatable),
        ]
        + ScriptForWebApps.allCases.map { script in
            .open(
                .get,
                at: script.path,
                name: "scriptForWebApps",
                { _, request, _ in response(with: script, to: request) },
                .compressed
            )
        }

    // MARK: Other servers

    private static let serverRoutes: [Route] = [
        .open(
            .get,
            at: "/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com",
            on: .www,
            name: "publicKeyCertificates",
            publicKeyCertificates
        ),
        .open(
            .get,
            at: "/v1/publicKeys",
            on: .identityToolkit,
            v3: "publicKeys",
            name: "publicKeyCertificates",
            publicKeyCertificates
        ),
        .open(
            .get,
            at: "/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com",
            on: .www,
            name: "publicKeySet",
            publicKeySet
        ),
        .open(
            .get,
            at: "/.well-known/openid-configuration",
            name: "openIDConfiguration",
            openIDConfiguration
        ),
        .open(
            .get,
            at: "/projects/{project}/.well-known/openid-configuration",
            name: "openIDConfiguration",
            projectOpenIDConfiguration
        ),
        .open(.get, at: "/.well-known/jwks.json", name: "publicKeySet", publicKeySet),
        .open(
            .get,
            at: "/projects/{project}/.well-known/jwks.json",
            name: "publicKeySet",
            projectPublicKeySet
        ),
        .open(.get, at: "/auth/verify", name: "forwardAuth", verifyForProxy, [.anyMethod, .quiet]),
        // Vonage sends a query string or a body, depending on its account settings.
        .open(
            .post,
            .get,
            at: "/dialtone/v1/receipts/{gateway}",
            name: "deliveryReceipt",
            deliveryReceipt,
            .repeatable
        ),
        .open(.get, at: "/healthz", health),
        .open(.get, at: "/readyz", checkReadiness),
        .open(.get, at: "/metrics", to: .monitoring, showMetrics),
    ]

    // MARK: Administrators

    private static let adminRoutes: [Route] = [
        // The token endpoint of service accounts.
        .open(.post, at: "/token", name: "grantAccess", to: .adminListener, grantAccess),
        .admin(.post, "/v1/projects/{project}/accounts", name: "createAccount", needs: .write, createAccount),
        .admin(.post, "/v1/projects/{project}/accounts:lookup", needs: .read, lookUpAccounts),
        .admin(.post, "/v1/projects/{project}/accounts:update", needs: .write, changeAccount),
        .admin(.post, "/v1/projects/{project}/accounts:delete", needs: .write, removeAccount),
        .admin(.post, "/v1/projects/{project}/accounts:sendOobCode", needs: .write, sendOobCode),
        .admin(.get, "/v1/projects/{project}/accounts:batchGet", needs: .read, listAccounts),
        .admin(.post, "/v1/projects/{project}/accounts:batchCreate", needs: .write, importAccounts, .batch),
        .admin(.post, "/v1/projects/{project}/accounts:batchDelete", needs: .write, removeAccounts, .batch),
        .admin(.post, "/v1/projects/{project}/accounts:query", needs: .read, queryAccounts),
        // Extensions: the protocol has no list of sessions.
        .admin(.post, "/v1/projects/{project}/accounts:listSessions", needs: .read, listSessions),
        .admin(.post, "/v1/projects/{project}/accounts:endSession", needs: .write, endSession),
        // Extensions: what commands report and do, for the operator's page.
        .admin(.post, "/v2/projects/{project}/reports:explain", needs: .read, explain),
        .admin(.post, "/v2/projects/{project}/reports:outbox", needs: .read, reportOutbox),
        .admin(.post, "/v2/projects/{project}/reports:messages", needs: .read, reportMessages),
        .admin(.post, "/v2/projects/{project}/reports:limits", needs: .read, reportLimits),
        .admin(.post, "/v2/projects/{project}/reports:testNumbers", needs: .read, reportTestNumbers),
        .admin(.post, "/v2/projects/{project}/reports:audit", needs: .read, reportAudit),
        .admin(.post, "/v2/projects/{project}/limits:reset", needs: .write, resetLimits),
        .admin(.post, "/v2/projects/{project}/outbox:retry", needs: .write, retryUndeliverable),
        .admin(.post, "/v1/projects/{project}:createSessionCookie", needs: .write, createSessionCookie),
        .admin(
            .get,
            "/v2/projects/{project}/config",
            "/admin/v2/projects/{project}/config",
            needs: .read,
            showConfiguration
        ),
        .admin(
            .patch,
            "/v2/projects/{project}/config",
            "/admin/v2/projects/{project}/config",
            needs: .write,
            changeConfiguration
        ),
    ]

    // MARK: Development mode

    private static let developmentRoutes: [Route] =
        [
            .owner(.post, v3: "downloadAccount", name: "batchGet", listAccounts),
            .owner(.post, v3: "uploadAccount", name: "batchCreate", importAccounts, .batch),
            .development(.delete, "/emulator/v1/projects/{project}/accounts", deleteAllAccounts),
            .development(.get, "/emulator/v1/projects/{project}/config", showEmulatorConfig),
            .development(.patch, "/emulator/v1/projects/{project}/config", changeEmulatorConfig),
            .development(.get, "/emulator/v1/projects/{project}/oobCodes", oobCodes),
            .development(.get, "/emulator/v1/projects/{project}/verificationCodes", verificationCodes),
            .development(.get, "/dialtone/v1/projects/{project}/inbox", inbox),
        ]
        + TryItPage.assets.map { asset in
            .open(.get, at: asset.path, name: "tryIt", to: .developmentMode) { _, request, _ in
                tryItAsset(asset, request)
            }
        }
}

extension Route {
    /// Returns a route of an operation that is not supported.
    fileprivate static func notOffered(_ path: String, v3 legacy: String) -> Route {
        let refuse: Handler.User = { _ throws(WireError) in throw .code(.operationNotAllowed) }
        return .user(.post, path, v3: legacy, name: "notOffered", refuse)
    }

    /// Returns a route of a developer's operation in the project in the path.
    fileprivate static func development(
        _ method: Method,
        _ path: String,
        _ handler: @escaping @Sendable (OperationContext, borrowing Request) throws(WireError) -> Response
    ) -> Route {
        .open(method, at: path, to: .developmentMode) { api, request, record throws(WireError) in
            let project = try api.projects.developmentProject(record.pathParameter)
            return try handler(api.operation(in: project, request, record, by: .owner), request)
        }
    }
}
