import Encodings
import TestServers
import Testing

/// Request contents, which never reach a log.
@Suite(.timeLimit(.minutes(30))) struct LoggedTextTests {
    private static let digits = "6505550177"

    private static let paths = [
        "/v1/accounts:sendVerificationCode", "/v1/accounts:signInWithPhoneNumber", "/v1/accounts:verifyClient",
        "/v1/accounts:signUp", "/v1/accounts:signInWithPassword", "/v1/accounts:createAuthUri",
        "/v1/accounts:signInWithCustomToken", "/v1/accounts:lookup", "/v1/accounts:update", "/v1/accounts:delete",
        "/v1/accounts:sendOobCode", "/v1/accounts:resetPassword", "/v1/token", "/v2/accounts/mfaEnrollment:start",
        "/v2/accounts/mfaEnrollment:finalize", "/v2/accounts/mfaEnrollment:withdraw", "/v2/accounts/mfaSignIn:start",
        "/v2/accounts/mfaSignIn:finalize", "/dialtone/v1/challenge", "/dialtone/v1/receipts/6505550177",
        "/identitytoolkit/v3/relyingparty/setAccountInfo", "/v1/accounts:6505550177", "/6505550177",
    ]

    private static let adminPaths = [
        "/v1/projects/demo-dialtone/accounts", "/v1/projects/demo-dialtone/accounts:lookup",
        "/v1/projects/demo-dialtone/accounts:update", "/v1/projects/demo-dialtone/accounts:delete",
        "/v1/projects/demo-dialtone/accounts:batchCreate", "/v1/projects/demo-dialtone/accounts:batchDelete",
        "/v1/projects/demo-dialtone/accounts:query", "/v1/projects/demo-dialtone:createSessionCookie",
        "/v1/projects/6505550177/accounts:lookup",
    ]

    private static let fields = [
        "phoneNumber", "recaptchaToken", "iosReceipt", "iosSecret", "playIntegrityToken", "autoRetrievalInfo",
        "tenantId", "sessionInfo", "code", "temporaryProof", "operation", "idToken", "appToken", "isSandbox", "email",
        "password", "displayName", "photoUrl", "identifier", "continueUri", "token", "returnSecureToken",
        "deleteAttribute", "deleteProvider", "validSince", "localId", "customAttributes", "grantType", "grant_type",
        "refreshToken", "refresh_token", "mfaPendingCredential", "mfaEnrollmentId", "phoneEnrollmentInfo",
        "phoneSignInInfo", "phoneVerificationInfo", "totpEnrollmentInfo", "totpVerificationInfo", "mfaInfo", "mfa",
        "users", "hashAlgorithm", "signerKey", "rounds", "localIds", "force", "expression", "sortBy", "order", "limit",
        "offset", "validDuration", "linkProviderUserInfo", "createdAt", "disabled", "emailVerified", "requestType",
        "oobCode", "federatedUserId", "targetProjectId", "captchaResponse", "clientType",
    ]

    /// Bodies with the number in every position that JSON has.
    private static var bodies: [String] {
        let number = "\"+1\(digits)\""
        var bodies = [
            "{", "{\(number)", "{\(number):1}", number, "[\(number)]", digits, "phoneNumber=%2B1\(digits)",
            "\(digits){}",
            "{\"a\":\(digits)x}", "{\"\\u\(digits)\":1}",
        ]
        for field in fields {
            bodies += [
                "{\"\(field)\":\(number)}", "{\"\(field)\":{\(number):\(number)}}", "{\"\(field)\":[\(number)]}",
                "{\"\(field)\":[{\"phoneNumber\":\(number),\"localId\":\(number),\"email\":\(number)}]}",
            ]
        }
        return bodies
    }

    @Test("a number in any field, name, mask, query or header of a request does not reach a log")
    func everyField() throws {
        let server = try RunningServer(
            workers: 2,
            settings: [
                "LOG_LEVEL": "trace", "ADMIN_ROUTES": "enabled", "SENDS_PER_NUMBER_PER_HOUR": "1000",
                "SENDS_PER_NUMBER_PER_DAY": "1000",
            ]
        )
        let hostile = [
            ("User-Agent", Self.digits), ("Origin", "https://\(Self.digits).example"),
            ("X-Firebase-Locale", Self.digits),
            ("Accept-Language", Self.digits), ("X-Client-Version", Self.digits), ("Referer", "https://\(Self.digits)"),
            ("X-Ios-Bundle-Identifier", Self.digits), ("X-Request-Id", Self.digits),
        ]
        let bodies = Self.bodies
        _ = try inParallel(4) { thread in
            for index in stride(from: thread, to: bodies.count, by: 4) {
                // Each body comes from another client, so that no limit on a client is reached.
                let address = "127.0.\(1 + index / 200).\(1 + index % 200)"
                for path in Self.paths {
                    _ = try server.post(path, bodies[index], from: address, headers: index % 4 == 0 ? hostile : [])
                }
                for path in Self.adminPaths {
                    _ = try server.post(
                        path,
                        bodies[index],
                        from: address,
                        headers: [("Authorization", "Bearer owner")]
                    )
                }
                let client = HTTPClient(port: server.port, sourceAddress: address)
                _ = try client.request(
                    "PATCH",
                    "/v2/projects/demo-dialtone/config?updateMask=signIn.%2B1\(Self.digits)",
                    headers: [("Content-Type", "application/json"), ("Authorization", "Bearer owner")],
                    body: Array(bodies[index].utf8)
                )
                _ = try client.request(
                    "PATCH",
                    "/v2/projects/demo-dialtone/config",
                    headers: [("Content-Type", "application/json"), ("Authorization", "Bearer owner")],
                    body: Array(#"{"signIn":\#(bodies[index])}"#.utf8)
                )
            }
        }
        for target in ["/v1/projects?key=\(Self.digits)", "/__/auth/handler?ibi=\(Self.digits)&v=\(Self.digits)"] {
            _ = try server.get(target, headers: hostile)
        }
        let lines = server.log.split(separator: "\n").filter { $0.contains(Self.digits) }
        #expect(lines.isEmpty, "\(Set(lines.prefix(20)).sorted().joined(separator: "\n"))")
        #expect(server.log.contains("INVALID_CONFIG"))
    }
}
