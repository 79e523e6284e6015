import Encodings
import TestServers
import Testing

/// Hostile input: invalid input gets a 4xx response in the protocol's envelope, and the server continues.
@Suite(.sharedServer) struct HostileInputTests {
    let server: RunningServer

    init() throws {
        server = try #require(SharedServer.current)
    }

    static let sendPath = "/v1/accounts:sendVerificationCode?key=k"

    @Test(
        "a body that is not the declared JSON is rejected",
        arguments: [
            "{", "}", "[]", "null", "\"text\"", "12", "{\"phoneNumber\":}", "{\"phoneNumber\":\"+1\"",
            "{\"phoneNumber\":\"+1\",}", "{phoneNumber:1}", "{'phoneNumber':'1'}", "{\"a\":\"\\u12\"}",
            "{\"a\":\"\\ud800\"}",
            "{\"a\":\"\\x\"}", "{\"a\":\"\n\"}", "{\"a\":01}", "{\"a\":1.}", "{\"a\":+1}", "{\"a\":tru}", "{} {}",
            "{\"phoneNumber\":{}}", "{\"phoneNumber\":[\"+16505550101\"]}", "{\"phoneNumber\":true}",
            "{\"tenantId\":[],\"phoneNumber\":\"+16505550101\"}", "{\"clientType\":{}}", "\u{feff}{}",
        ]
    )
    func badJSON(body: String) throws {
        let answer = try post(Array(body.utf8))
        #expect(answer.status == 400)
        #expect(answer.errorMessage?.hasPrefix("Invalid JSON payload received. ") == true)
        try expectEnvelope(answer, status: "INVALID_ARGUMENT")
    }

    @Test("deep nesting is rejected without recursion", arguments: ["[", "{\"a\":"])
    func deepNesting(opening: String) throws {
        let answer = try post(Array(String(repeating: opening, count: 10_000).utf8))
        #expect(answer.status == 400)
        #expect(answer.errorMessage == "Invalid JSON payload received. Message too deep.")
    }

    @Test(
        "invalid UTF-8 is rejected",
        arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80]]
    )
    func invalidUTF8(bytes: [UInt8]) throws {
        let answer = try post(Array("{\"phoneNumber\":\"".utf8) + bytes + Array("\"}".utf8))
        #expect(answer.status == 400)
        #expect(answer.errorMessage?.hasPrefix("Invalid JSON payload received. Invalid UTF-8") == true)
    }

    @Test("a body at the size limit is read, and one byte more is rejected")
    func bodyLimit() throws {
        func padded(to count: Int) -> [UInt8] {
            let frame = Array(#"{"phoneNumber":"","padding":""}"#.utf8)
            return frame.dropLast(2) + [UInt8](repeating: UInt8(ascii: "x"), count: count - frame.count)
                + frame.suffix(2)
        }
        #expect(try post(padded(to: 65_536)).errorMessage == "INVALID_PHONE_NUMBER : Invalid format.")
        let answer = try post(padded(to: 65_537))
        #expect(answer.status == 413)
        #expect(answer.errorMessage == "The request body is too large.")
        try expectEnvelope(answer, status: "INVALID_ARGUMENT", reason: "uploadTooLarge")
    }

    @Test(
        "methods that a path does not support are rejected",
        arguments: [
            ("GET", sendPath), ("DELETE", sendPath), ("PUT", sendPath), ("PATCH", sendPath), ("BREW", sendPath),
            ("POST", "/v1/projects?key=k"), ("POST", "/v2/recaptchaConfig?key=k"), ("GET", "/v1/token?key=k"),
            ("POST", "/healthz"), ("POST", "/emulator/v1/projects/demo-dialtone/accounts"),
        ]
    )
    func wrongMethod(method: String, target: String) throws {
        let answer = try HTTPClient(port: server.port).request(method, target)
        #expect(answer.status == 405)
        try expectEnvelope(answer, status: "INVALID_ARGUMENT")
    }

    @Test(
        "content types other than the declared ones are rejected",
        arguments: ["text/plain", "application/xml", "x", "multipart/form-data; boundary=x"]
    )
    func wrongContentType(type: String) throws {
        for target in [Self.sendPath, "/v1/token?key=k"] {
            let answer = try HTTPClient(port: server.port)
                .request("POST", target, headers: [("Content-Type", type)], body: Array("{}".utf8))
            #expect(answer.status == 415)
            try expectEnvelope(answer, status: "INVALID_ARGUMENT")
        }
    }

    @Test(
        "the JSON content type may have parameters and any case",
        arguments: ["application/json; charset=utf-8", "Application/JSON"]
    )
    func contentTypeParameters(type: String) throws {
        let answer = try HTTPClient(port: server.port)
            .request("POST", Self.sendPath, headers: [("Content-Type", type)], body: Array("{}".utf8))
        #expect(answer.errorMessage == "INVALID_PHONE_NUMBER : Invalid format.")
    }

    @Test(
        "broken forms and query strings are rejected",
        arguments: ["grant_type=%zz", "grant_type=%", "grant_type=%ff"]
    )
    func brokenForm(form: String) throws {
        let headers = [("Content-Type", "application/x-www-form-urlencoded")]
        let inBody = try HTTPClient(port: server.port)
            .request("POST", "/v1/token?key=k", headers: headers, body: Array(form.utf8))
        let inQuery = try HTTPClient(port: server.port).request("POST", "/v1/token?\(form)&key=k", headers: headers)
        for answer in [inBody, inQuery] {
            #expect(answer.status == 400)
            try expectEnvelope(answer, status: "INVALID_ARGUMENT")
        }
    }

    @Test(
        "malformed paths are not found",
        arguments: [
            "/v1/accounts:sendVerificationCode/", "//v1/accounts:sendVerificationCode",
            "/emulator/v1/projects//accounts",
            "/identitytoolkit.googleapis.com/identitytoolkit.googleapis.com/v1/projects", "/%00", "/v1/%ff",
            "/..%2f..%2fetc/passwd",
        ]
    )
    func oddPaths(path: String) throws {
        let answer = try HTTPClient(port: server.port).request("GET", "\(path)?key=k")
        #expect((400...405).contains(answer.status))
        #expect(answer.errorMessage != nil)
    }

    @Test("an escaped colon is a colon")
    func escapedColon() throws {
        let answer = try HTTPClient(port: server.port)
            .request("POST", "/v1/accounts%3AsendVerificationCode?key=k", body: Array("{}".utf8))
        #expect(answer.errorMessage == "INVALID_PHONE_NUMBER : Invalid format.")
    }

    @Test("huge headers and malformed requests get the envelope from nginx")
    func nginxErrors() throws {
        let client = HTTPClient(port: server.port)
        let longHeader = try client.request(
            "GET",
            "/v1/projects?key=k",
            headers: [("X-Long", String(repeating: "x", count: 40_000))]
        )
        #expect((400...431).contains(longHeader.status))
        #expect(longHeader.errorMessage != nil)
        let longTarget = try client.request("GET", "/v1/projects?key=" + String(repeating: "k", count: 40_000))
        #expect((414...431).contains(longTarget.status))
        #expect(longTarget.errorMessage != nil)
    }

    @Test("a request with more headers than the worker accepts is rejected with the envelope")
    func manyHeaders() throws {
        let headers = (0..<200).map { ("X-Header-\($0)", "1") }
        let answer = try HTTPClient(port: server.port).request("GET", "/v1/projects?key=k", headers: headers)
        #expect(answer.status == 431)
        try expectEnvelope(answer, status: "INVALID_ARGUMENT")
    }

    @Test("header values cannot inject response headers or log lines")
    func headerInjection() throws {
        let answer = try HTTPClient(port: server.port).request(
            "OPTIONS",
            "/v1/accounts:lookup",
            headers: [("Access-Control-Request-Headers", "x\u{7}, \"evil\"")]
        )
        #expect(answer.status == 204)
        #expect(answer.headers["access-control-allow-headers"]?.contains("evil") == false)
    }

    @Test("after all of this, the server still signs users in")
    func stillAlive() throws {
        for round in 0..<50 { _ = try? post([UInt8](repeating: UInt8(round), count: round * 37)) }
        #expect(try server.signInFresh("+16505550150").status == 200)
    }

    private func post(_ body: [UInt8]) throws -> HTTPAnswer {
        try HTTPClient(port: server.port)
            .request("POST", Self.sendPath, headers: [("Content-Type", "application/json")], body: body)
    }
}
