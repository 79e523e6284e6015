import Encodings
import GatewayStandIn
import TestServers
import Testing

/// Hooks for second factors, and users who revert an enrollment.
@Suite(.timeLimit(.minutes(30))) struct SecondFactorHookTests {
    private static let number = "+16505550197"

    private static func start(_ events: [String]) async throws -> HookDeployment {
        try await HookDeployment.start(events: events)
    }

    @Test("a hook is called for an enrollment, SDKs check and apply the revert code, and no log contains the code")
    func revert() async throws {
        let deployment = try await Self.start(["SECOND_FACTOR_ENROLLMENT"])
        let server = deployment.server
        let user = try SecondFactorUser(server)
        let enrolled = try user.preparedEnrollment(of: Self.number)()
        #expect(enrolled.status == 200, "\(enrolled.errorMessage ?? "")")
        #expect(deployment.hooks.requests.map(\.path) == ["/second_factor_enrollment?token=hidden-token"])
        let event = try #require(deployment.events.first)
        #expect(event.text("event_type") == "beforeSecondFactorEnrollment" && event.text("sub") == user.uid)
        let code = event.text("revert_code")

        let checked = try server.post("/v1/accounts:resetPassword", #"{"oobCode":"\#(code)"}"#)
        #expect(checked.status == 200 && checked["kind"] == "identitytoolkit#ResetPasswordResponse")
        #expect(checked["email"] == user.email && checked["requestType"] == "REVERT_SECOND_FACTOR_ADDITION")
        guard case .object(let factor) = checked.json["mfaInfo"] else {
            Issue.record("no factor: \(checked.text)")
            return
        }
        #expect(factor.text("phoneInfo") == "+*******0197" && factor.text("displayName") == "Mine")
        #expect(factor.text("mfaEnrollmentId").utf8.count == 22 && factor.text("enrolledAt").utf8.count == 24)

        let applied = try server.post(
            "/identitytoolkit.googleapis.com/v1/accounts:update",
            #"{"oobCode":"\#(code)","returnSecureToken":true}"#
        )
        #expect(applied.status == 200 && applied["kind"] == "identitytoolkit#SetAccountInfoResponse")
        #expect(applied["localId"] == user.uid && applied["email"] == user.email && applied["idToken"] == nil)
        for path in ["resetPassword", "setAccountInfo"] {
            let again = try server.post("/identitytoolkit/v3/relyingparty/\(path)", #"{"oobCode":"\#(code)"}"#)
            #expect(again.status == 400 && again.errorMessage == "INVALID_OOB_CODE")
        }
        #expect(try user.signIn()["idToken"] != nil)
        let log = server.log
        #expect(log.contains(#""reason":"reverted""#))
        for secret in [code, String(Self.number.dropFirst(2)), "hidden-token", user.email] {
            #expect(!log.contains(secret), "\(secret)")
        }
    }

    @Test("other action codes, and other uses of the revert code, are rejected")
    func notOffered() async throws {
        let server = try RunningServer(.development)
        let cases = [
            ("resetPassword", #"{"oobCode":"x"}"#, "INVALID_OOB_CODE"),
            ("resetPassword", #"{"oobCode":"x","newPassword":"correct horse"}"#, "INVALID_OOB_CODE"),
            ("resetPassword", #"{"email":"ada@example.com"}"#, "MISSING_OOB_CODE"),
            ("resetPassword", "{}", "MISSING_OOB_CODE"),
            ("resetPassword", #"{"oobCode":"x","tenantId":"t"}"#, "UNSUPPORTED_TENANT_OPERATION"),
            ("update", #"{"oobCode":"x"}"#, "INVALID_OOB_CODE"),
            ("update", #"{"oobCode":"x","idToken":"t"}"#, "INVALID_OOB_CODE"),
            ("update", #"{"oobCode":""}"#, "INVALID_REQ_TYPE"),
        ]
        for (operation, fields, message) in cases {
            let answer = try server.post("/v1/accounts:\(operation)", fields)
            #expect(answer.status == 400 && answer.errorCode == message, "\(operation) \(fields)")
        }
        for fields in [#"{"oobCode":7}"#, #"{"oobCode":{}}"#, #"{"oobCode":["x"]}"#] {
            for operation in ["resetPassword", "update"] {
                #expect(try server.post("/v1/accounts:\(operation)", fields).status == 400)
            }
        }
    }

    @Test("if a hook denies or returns no valid response, the factor is not enrolled, and the app gets the reason")
    func denied() async throws {
        let deployment = try await Self.start(["SECOND_FACTOR_ENROLLMENT"])
        let server = deployment.server
        let user = try SecondFactorUser(server)
        deployment.hooks.queue(
            .answer(403, #"{"error":{"status":"PERMISSION_DENIED","message":"We could not tell you."}}"#),
            .changing("displayName", #""displayName":"Eve""#)
        )
        let refused = try user.preparedEnrollment(of: Self.number)()
        #expect(refused.status == 400)
        let explanation = #"{"error":{"message":"We could not tell you.","status":"PERMISSION_DENIED"}}"#
        #expect(
            refused.errorMessage
                == "BLOCKING_FUNCTION_ERROR_RESPONSE : ((HTTP request to \(deployment.hooks.url) returned HTTP error 403: "
                + explanation + "))"
        )
        #expect(server.log.contains("beforeSecondFactorEnrollment: \(deployment.hooks.url) denied the operation"))
        #expect(try user.preparedEnrollment(of: "+16505550198")().status == 500)
        let found = try server.lookUp(user.idToken)
        #expect(found.status == 200 && !found.text.contains("mfaInfo"))
        #expect(!server.log.contains("could not tell"))
    }

    @Test("at maxmemory, wrong codes are counted before a hook is called, as without hooks")
    func fullMemory() async throws {
        let deployment = try await Self.start(["SIGN_IN"])
        let server = deployment.server
        var user = try SecondFactorUser(server)
        let (id, app) = try user.enrollApp(stepsAgo: 1)
        let credential = try user.pendingCredential()
        let key = server.redis.cli("KEYS", "dt:{u*}:user:*\(user.uid)").split(whereSeparator: \.isNewline).first
        let account = try #require(key.map(String.init))
        #expect(server.redis.cli("CONFIG", "SET", "maxmemory", "1") == "OK")
        let wrong = try server.finishApp(credential, id, wrongCode(besides: app.code()))
        #expect(wrong.errorMessage == "INVALID_CODE")
        #expect(server.redis.cli("HGET", account, "wrong-second-factors").hasPrefix("1"))
    }

    @Test("beforeSignIn is called after both factors and contains the second one")
    func signIn() async throws {
        let deployment = try await Self.start(["SIGN_IN"])
        let server = deployment.server
        let user = try SecondFactorUser(server)
        #expect(try user.preparedEnrollment(of: Self.number)().status == 200)
        let before = deployment.events.count
        let finish = try user.preparedSignIn()
        #expect(deployment.events.count == before)
        deployment.hooks.queue(.changing("sessionClaims", #""sessionClaims":{"device":"one"}"#))
        let signedIn = try finish()
        #expect(signedIn.status == 200, "\(signedIn.errorMessage ?? "")")
        #expect(try idTokenClaims(try #require(signedIn["idToken"])).text("device") == "one")
        #expect(deployment.events.count == before + 1)
        let event = try #require(deployment.events.last)
        #expect(event.text("event_type") == "beforeSignIn" && event.text("sign_in_method") == "password")
        #expect(event.text("sign_in_second_factor") == "phone")
        guard case .object(let record) = event["user_record"], case .object(let factors) = record["multi_factor"],
            case .array(let enrolled) = factors["enrolled_factors"], case .object(let factor)? = enrolled.first
        else {
            Issue.record("no factors in the event")
            return
        }
        #expect(factor.text("factor_id") == "phone" && factor.text("phone_number") == Self.number)
    }

    @Test("a hook that disables the user after both factors causes USER_DISABLED")
    func disabling() async throws {
        let deployment = try await Self.start(["SIGN_IN"])
        let server = deployment.server
        let user = try SecondFactorUser(server)
        let enrolled = try user.preparedEnrollment(of: Self.number)()
        #expect(enrolled.status == 200, "\(enrolled.text)")
        let finish = try user.preparedSignIn()
        deployment.hooks.queue(.changing("disabled", #""disabled":true"#))
        let refused = try finish()
        #expect(refused.status == 400 && refused.errorMessage == "USER_DISABLED", "\(refused.text)")
        #expect(refused["idToken"] == nil && refused["refreshToken"] == nil)
        #expect(deployment.events.last?.text("sign_in_second_factor") == "phone")
        // No session starts, and earlier sessions end.
        #expect(try user.signIn().errorMessage == "USER_DISABLED")
        #expect(try server.lookUp(try #require(enrolled["idToken"])).errorMessage == "USER_DISABLED")
        #expect(try server.refresh(try #require(enrolled["refreshToken"])).errorMessage == "USER_DISABLED")
    }
}
