import Encodings
import Processes
import TestServers
import Testing

/// Authorization on the admin interface, and its responses.
@Suite(.sharedServer { try RunningServer(.production, workers: 1, settings: ["ADMIN_ROUTES": "enabled"]) })
struct AdminInterfaceTests {
    let server: RunningServer

    init() throws {
        server = try #require(SharedServer.current)
    }

    private func call(
        _ operation: String,
        _ json: String? = "{}",
        bearer: String?,
        project: String = "demo-dialtone"
    ) throws -> HTTPAnswer {
        var headers = [("Content-Type", "application/json")]
        if let bearer { headers.append(("Authorization", bearer)) }
        return try HTTPClient(port: server.port).request(
            json == nil ? "GET" : "POST",
            "/v1/projects/\(project)\(operation)",
            headers: headers,
            body: Array((json ?? "").utf8)
        )
    }

    @Test("a missing credential gets 400, an invalid one 401, and one without the permission 403")
    func credentials() throws {
        let (reading, writing) = (try server.adminToken(access: "read"), try server.adminToken())
        #expect(
            try call("/accounts:lookup", bearer: nil).errorMessage
                == "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id."
        )
        for bearer in ["Bearer owner", "Bearer \(writing)x", "Bearer dta_AAAA"] {
            let answer = try call("/accounts:lookup", bearer: bearer)
            #expect(answer.status == 401 && answer.errorCode == "UNAUTHENTICATED")
            #expect(answer.headers["www-authenticate"] == "Bearer")
        }
        #expect(try call("/accounts:lookup", bearer: "Basic \(writing)").status == 400)
        #expect(try call("/accounts:lookup", bearer: "bearer \(reading)").status == 200)
        #expect(try call("/accounts:batchGet", nil, bearer: "Bearer \(reading)").status == 200)
        for operation in ["/accounts", "/accounts:update", "/accounts:delete", "/accounts:batchCreate"] {
            #expect(try call(operation, bearer: "Bearer \(reading)").status == 403)
        }
        for project in ["other", "nowhere"] {
            #expect(try call("/accounts:lookup", bearer: "Bearer \(writing)", project: project).status == 403)
        }
    }

    @Test("tokens are listed without their secrets and stop working when they are revoked")
    func commands() throws {
        let token = try server.adminToken(project: "other")
        let list = try server.dialtone("admin-tokens", "list", "--project", "other").output
        let id = try #require(list.split(separator: " ").first.map(String.init))
        #expect(list.contains("write") && list.contains("test") && !list.contains(token.dropFirst(4)))
        #expect(try call("/accounts", bearer: "Bearer \(token)", project: "other").status == 200)
        #expect(try server.dialtone("admin-tokens", "revoke", id, "--project", "other").status == .exited(0))
        #expect(try call("/accounts", bearer: "Bearer \(token)", project: "other").status == 401)
        #expect(try server.dialtone("admin-tokens", "revoke", id, "--project", "other").status == .exited(1))
    }

    static let refusals: [(operation: String, json: String, message: String)] = [
        ("/accounts", #"{"phoneNumber":"123"}"#, "INVALID_PHONE_NUMBER : Invalid format."),
        ("/accounts", #"{"email":"nobody"}"#, "INVALID_EMAIL"),
        (
            "/accounts", #"{"email":"a@example.com","password":"12345"}"#,
            "WEAK_PASSWORD : Password should be at least 6 characters"
        ),
        ("/accounts", #"{"mfaInfo":[{"phoneInfo":"123"}]}"#, "INVALID_MFA_PHONE_NUMBER : Invalid format."),
        ("/accounts", #"{"mfaInfo":[{}]}"#, "INVALID_MFA_PHONE_NUMBER : Invalid format."),
        ("/accounts", #"{"mfaInfo":[{"totpInfo":{}}]}"#, "INVALID_ARGUMENT : totpInfo needs sharedSecretKey."),
        (
            "/accounts", #"{"mfaInfo":[{"totpInfo":{"sharedSecretKey":"MFRGG==="}}]}"#,
            "INVALID_ARGUMENT : sharedSecretKey must be base 32 of 10 to 64 bytes."
        ),
        (
            "/accounts",
            #"{"mfaInfo":[{"phoneInfo":"+16505550101"},{"phoneInfo":"+16505550102"},{"phoneInfo":"+16505550103"},"#
                + #"{"phoneInfo":"+16505550104"},{"phoneInfo":"+16505550105"},{"phoneInfo":"+16505550106"}]}"#,
            "SECOND_FACTOR_LIMIT_EXCEEDED"
        ),
        ("/accounts", #"{"mfa":{"enrollments":[{"phoneInfo":"+16505550100"}]}}"#, "OPERATION_NOT_ALLOWED"),
        ("/accounts:update", #"{"localId":"x","mfaInfo":[{"phoneInfo":"+16505550100"}]}"#, "OPERATION_NOT_ALLOWED"),
        (
            "/accounts:update", #"{"localId":"x","mfa":{"enrollments":[{"phoneInfo":"+16505550100"}]}}"#,
            "INVALID_MFA_ENROLLMENT_ID : mfaEnrollmentId must be defined."
        ),
        (
            "/accounts:update",
            #"{"localId":"x","mfa":{"enrollments":[{"mfaEnrollmentId":"a","phoneInfo":"+16505550100"},"#
                + #"{"mfaEnrollmentId":"a","phoneInfo":"+16505550101"}]}}"#, "DUPLICATE_MFA_ENROLLMENT_ID"
        ),
        (
            "/accounts", #"{"mfaInfo":[{"phoneInfo":"+16505550100","enrolledAt":"soon"}]}"#,
            "Invalid JSON payload received. Invalid value at 'enrolledAt' "
                + "(type.googleapis.com/google.protobuf.Timestamp)."
        ),
        (
            "/accounts", #"{"mfaInfo":[{"phoneInfo":"+16505550100","totpInfo":{}}]}"#,
            "Invalid JSON payload received. Invalid value (oneof): "
                + "only one of 'phoneInfo' and 'totpInfo' may be set."
        ),
        ("/accounts", #"{"tenantId":"t"}"#, "UNSUPPORTED_TENANT_OPERATION"),
        (
            "/accounts", #"{"localId":"a\u0000"}"#,
            "INVALID_LOCAL_ID : A uid has 1 to 128 characters without control characters."
        ),
        ("/accounts:update", "{}", "MISSING_LOCAL_ID"),
        ("/accounts:update", #"{"localId":"nobody"}"#, "USER_NOT_FOUND"),
        ("/accounts:update", #"{"localId":"x","customAttributes":"[]"}"#, "INVALID_CLAIMS"),
        ("/accounts:update", #"{"localId":"x","customAttributes":"{\"sub\":1}"}"#, "FORBIDDEN_CLAIM : sub"),
        ("/accounts:delete", "{}", "MISSING_LOCAL_ID"),
        ("/accounts:delete", #"{"localId":"nobody"}"#, "USER_NOT_FOUND"),
        ("/accounts:batchCreate", "{}", "MISSING_USER_ACCOUNT"),
        (
            "/accounts:batchCreate", #"{"users":[{"localId":"x"}],"hashAlgorithm":"MD5"}"#,
            "INVALID_HASH_ALGORITHM : Only SCRYPT, STANDARD_SCRYPT and BCRYPT are supported."
        ),
        (
            "/accounts:batchCreate", #"{"users":[{"localId":"x"}],"hashAlgorithm":"STANDARD_SCRYPT","cpuMemCost":3}"#,
            "INVALID_HASH_PARAMETERS : They are missing, or ask for more work or memory than is granted to a hash."
        ),
        ("/accounts:batchDelete", "{}", "LOCAL_ID_LIST_EXCEEDS_LIMIT"),
        (":createSessionCookie", "{}", "MISSING_ID_TOKEN"),
        (":createSessionCookie", #"{"idToken":"x","validDuration":"299"}"#, "INVALID_DURATION"),
        (":createSessionCookie", #"{"idToken":"x","validDuration":"1209601"}"#, "INVALID_DURATION"),
        (":createSessionCookie", #"{"idToken":"x","validDuration":"300"}"#, "INVALID_ID_TOKEN"),
    ]

    @Test("each refusal has the protocol's message")
    func refusals() throws {
        let bearer = try server.adminBearer()
        for (operation, json, message) in Self.refusals {
            #expect(try call(operation, json, bearer: bearer).errorMessage == message, "\(operation) \(json)")
        }
    }

    @Test("a batch deletion refuses accounts individually, and without force deletes only disabled ones")
    func batches() throws {
        let bearer = try server.adminBearer()
        let users =
            #"{"users":[{"localId":"b1"},{},{"localId":"b2","disabled":true},"#
            + #"{"localId":"b3","passwordHash":"AAAA"},{"localId":"b4","mfaInfo":[{"phoneInfo":"+16505550100"}]}]}"#
        let errors = try call("/accounts:batchCreate", users, bearer: bearer).json["error"]
        let expected =
            #"[{"index":1,"message":"localId is missing"},{"index":3,"message":"MISSING_HASH_ALGORITHM"},"#
            + #"{"index":4,"message":"Second factor account requires email to be presented."}]"#
        #expect(errors == (try JSONValue.parse(Array(expected.utf8))))
        let deleted = try call("/accounts:batchDelete", #"{"localIds":["b1","b2","nobody"]}"#, bearer: bearer)
        guard case .array(let refused) = deleted.json["errors"] else {
            Issue.record("\(deleted)")
            return
        }
        #expect(refused.count == 1)
        let left = try call("/accounts:lookup", #"{"localId":["b1","b2"]}"#, bearer: bearer)
        guard case .array(let accounts) = left.json["users"] else {
            Issue.record("\(left)")
            return
        }
        #expect(accounts.count == 1)
        #expect(
            try call("/accounts:batchDelete", #"{"localIds":["b1"],"force":true}"#, bearer: bearer).json["errors"]
                == nil
        )
        #expect(try call("/accounts:lookup", #"{"localId":["b1"]}"#, bearer: bearer).json["users"] == nil)
        #expect(try call("/accounts:query", #"{"returnUserInfo":false}"#, bearer: bearer)["recordsCount"] != nil)
    }

    @Test("a worker without admin routes does not serve the admin paths")
    func notServed() throws {
        let server = try RunningServer(.production, workers: 1)
        for path in ["/v1/projects/demo-dialtone/accounts:lookup", "/token"] {
            #expect(try server.post(path, "{}", headers: [("Authorization", "Bearer x")]).status == 404)
        }
    }
}
