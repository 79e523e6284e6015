import Encodings
import Processes
import TestBrowser
import TestServers
import Testing

/// Operators' changes of second factors, over HTTP and on the command line.
@Suite(.sharedServer) struct OperatorSecondFactorTests {
    let server: RunningServer
    static let secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"

    init() throws {
        server = try #require(SharedServer.current)
    }

    private func administer(_ operation: String, _ json: String, _ server: RunningServer? = nil) throws -> HTTPAnswer {
        try (server ?? self.server).post(
            "/v1/projects/demo-dialtone/\(operation)",
            json,
            headers: [("Authorization", "Bearer owner")]
        )
    }

    private func signIn(_ email: String, _ server: RunningServer? = nil) throws -> HTTPAnswer {
        try (server ?? self.server).post(
            "/v1/accounts:signInWithPassword",
            #"{"email":"\#(email)","password":"correct horse"}"#
        )
    }

    private func objects(_ value: JSONValue?) -> [JSONObject] {
        guard case .array(let elements) = value else { return [] }
        return elements.compactMap { if case .object(let object) = $0 { object } else { nil } }
    }

    /// Returns the account's factors as an operator sees them.
    private func factors(of uid: String, _ server: RunningServer? = nil) throws -> [JSONObject] {
        let answer = try administer("accounts:lookup", #"{"localId":["\#(uid)"]}"#, server)
        return objects(objects(answer.json["users"]).first?["mfaInfo"])
    }

    /// Returns the current code by RFC 6238, using only Python's standard library.
    private func code(of secret: String) throws -> String {
        let program = """
            import base64, hashlib, hmac, struct, sys, time
            key = base64.b32decode(sys.argv[1])
            mac = hmac.new(key, struct.pack(">Q", int(time.time()) // 30), hashlib.sha1).digest()
            start = mac[19] & 15
            print("%06d" % ((struct.unpack(">I", mac[start:start + 4])[0] & 0x7FFFFFFF) % 10**6), end="")
            """
        return try Python.run(["-c", program, secret])
    }

    @Test("a user created with a factor is asked for it, and a user whose list is cleared is not")
    func life() throws {
        let user = #"""
            {"localId":"life","email":"life@example.com","password":"correct horse","emailVerified":true,
             "mfaInfo":[{"phoneInfo":"+16505550171","displayName":"Work","mfaEnrollmentId":"ignored",
                         "enrolledAt":"2026-01-31T09:15:30.123+01:00"},{"phoneInfo":"+1 650-555-0171"}]}
            """#
        #expect(try administer("accounts", user).status == 200)
        let made = try factors(of: "life")
        let id = try #require(made.first).text("mfaEnrollmentId")
        #expect(made.count == 1 && id.count == 28)
        #expect(made[0].text("enrolledAt") == "2026-01-31T08:15:30.123Z" && made[0].text("displayName") == "Work")
        #expect(made[0].text("phoneInfo") == "+16505550171")
        #expect(made[0].text("unobfuscatedPhoneInfo") == "+16505550171")

        let asked = try signIn("life@example.com")
        #expect(asked["idToken"] == nil)
        #expect(objects(asked.json["mfaInfo"]).first?.text("phoneInfo") == "+*******0171")
        let pending = try #require(asked["mfaPendingCredential"])
        let started = try server.post(
            "/v2/accounts/mfaSignIn:start",
            #"{"mfaPendingCredential":"\#(pending)","mfaEnrollmentId":"\#(id)","phoneSignInInfo":{"recaptchaToken":"t"}}"#
        )
        guard case .object(let response) = started.json["phoneResponseInfo"] else {
            Issue.record("\(started.text)")
            return
        }
        #expect(response["resendAfter"] == .string("60"))
        let session = response.text("sessionInfo")
        let finished = try server.post(
            "/v2/accounts/mfaSignIn:finalize",
            #"{"mfaPendingCredential":"\#(pending)","phoneVerificationInfo":{"sessionInfo":"\#(session)","#
                + #""code":"\#(try server.code(of: session))"}}"#
        )
        #expect(finished["idToken"] != nil)

        let list = #"""
            {"localId":"life","mfa":{"enrollments":[{"mfaEnrollmentId":"\#(id)","phoneInfo":"+16505550171"},
             {"mfaEnrollmentId":"app","totpInfo":{"sharedSecretKey":"\#(Self.secret)"}}]}}
            """#
        #expect(try administer("accounts:update", list).status == 200)
        #expect(try Set(factors(of: "life").map { $0.text("mfaEnrollmentId") }) == [id, "app"])
        // Sending back an account that was read changes nothing.
        let kept = list.replacing(#"{"sharedSecretKey":"\#(Self.secret)"}"#, with: "{}")
        #expect(try administer("accounts:update", kept).status == 200)
        #expect(try administer("accounts:update", #"{"localId":"life","displayName":"L"}"#).status == 200)
        #expect(try factors(of: "life").count == 2)
        #expect(try administer("accounts:update", #"{"localId":"life","mfa":{}}"#).status == 200)
        #expect(try factors(of: "life").isEmpty)
        #expect(try signIn("life@example.com")["idToken"] != nil)
    }

    @Test("factors can be moved to another deployment and work there, and an operator lists and withdraws them")
    func roundTrip() throws {
        let (old, new) = (try RunningServer(workers: 1), try RunningServer(workers: 1))
        let users = #"""
            {"users":[{"localId":"moved","email":"moved@example.com","emailVerified":true,"mfaInfo":[
              {"mfaEnrollmentId":"phone-1","phoneInfo":"+16505550172","displayName":"Work","enrolledAt":"2026-01-31T08:15:30Z"},
              {"mfaEnrollmentId":"app-1","totpInfo":{"sharedSecretKey":"\#(Self.secret)"}}]}]}
            """#
        #expect(try administer("accounts:batchCreate", users, old).json["error"] == nil)
        let password = #"{"localId":"moved","password":"correct horse"}"#
        #expect(try administer("accounts:update", password, old).status == 200)
        let export = try old.dialtone("users", "export", "--with-password-hashes")
        #expect(export.isFine && export.output.contains(Self.secret) && export.output.contains("+16505550172"))
        #expect(export.errors.contains("authenticator secrets") && !export.errors.contains(Self.secret))
        let without = try old.dialtone("users", "export")
        #expect(!without.output.contains(Self.secret) && without.output.contains("phone-1"))
        #expect(
            without.errors.contains(
                "1 secrets of authenticator apps were not exported: --with-password-hashes includes them"
            )
        )
        let firebase = try old.dialtone("users", "export", "--format", "firebase")
        #expect(!firebase.output.contains("mfaInfo"))
        #expect(firebase.errors.contains("2 second factors were not exported: Firebase's format cannot represent them"))

        let folder = try TemporaryFolder()
        try folder.write(export.output, to: "users.jsonl")
        let file = folder.path(of: "users.jsonl")
        let imported = try new.dialtone("users", "import", file)
        #expect(imported.output == "created 1, unchanged 0, kept 0, overwritten 0, refused 0\n")
        #expect(try new.dialtone("users", "export", "--with-password-hashes").output == export.output)
        #expect(
            try new.dialtone("users", "import", file).output
                == "created 0, unchanged 1, kept 0, overwritten 0, refused 0\n"
        )
        let asked = try signIn("moved@example.com", new)
        #expect(objects(asked.json["mfaInfo"]).count == 2)
        let pending = try #require(asked["mfaPendingCredential"])
        let finished = try new.post(
            "/v2/accounts/mfaSignIn:finalize",
            #"{"mfaPendingCredential":"\#(pending)","mfaEnrollmentId":"app-1","totpVerificationInfo":"#
                + #"{"verificationCode":"\#(try code(of: Self.secret))"}}"#
        )
        let refreshToken = try #require(finished["refreshToken"])

        let listed = try new.dialtone("users", "mfa", "list", "moved")
        #expect(listed.output.contains("phone-1  phone  2026-01-31T08:15:30Z  +*******0172  Work\n"))
        #expect(listed.output.contains("app-1  totp  ") && listed.output.hasSuffix("recovery codes left: 0\n"))
        #expect(try new.dialtone("users", "show", "moved").output.contains("second factors  1 phone, 1 totp\n"))
        let unknown = try new.dialtone("users", "mfa", "withdraw", "moved", "app-2")
        #expect(unknown.status == .exited(1) && unknown.errors == "dialtone: \"app-2\": no such second factor\n")
        for wrong in [[], ["app-1", "--all"]] {
            #expect(try new.dialtone(["users", "mfa", "withdraw", "moved"] + wrong).status == .exited(64))
        }
        #expect(
            try new.dialtone("users", "mfa", "withdraw", "moved", "app-1").output
                == "moved: removed second factor app-1\n"
        )
        // The token may have been issued in the current second.
        #expect(
            eventually {
                _ = try? new.dialtone("users", "revoke", "moved")
                return (try? new.refresh(refreshToken))?.errorMessage == "TOKEN_EXPIRED"
            }
        )
        #expect(
            try new.dialtone("users", "mfa", "withdraw", "moved@example.com", "--all").output
                == "moved: removed second factor phone-1\n"
        )
        #expect(try new.dialtone("users", "mfa", "list", "moved").output == "none\n")
        #expect(try signIn("moved@example.com", new)["idToken"] != nil)
        let log = try new.dialtone("audit", "--account", "moved")
        for event in ["second-factor-withdrawn totp", "second-factor-withdrawn phone"] {
            #expect(log.output.contains(event))
        }
        #expect(log.output.contains("by command-line "))
        #expect(!new.log.contains(Self.secret) && !new.log.contains("6505550172"))
    }
}
