import Encodings
import TestServers
import Testing

@Suite struct LogTests {
    @Test("logs contain one JSON line per request, and no code, token, session, key or readable number")
    func nothingSecret() throws {
        let server = try RunningServer(workers: 2, settings: ["LOG_LEVEL": "trace"])
        #expect(try server.dialtone("test-numbers", "set", "+16505550189", "135791").isFine)
        var secrets = ["6505550189", "135791", "secret-api-key", "made-up-session", "made-up-token"]
        for index in 80..<84 {
            let number = fictionalNumber(index)
            let session = try server.openVerification(number, apiKey: "secret-api-key")
            let code = try server.code(of: session)
            _ = try server.signIn(session, wrongCode(besides: code), apiKey: "secret-api-key")
            let signedIn = try server.signIn(session, code, apiKey: "secret-api-key")
            let refreshToken = try #require(signedIn["refreshToken"])
            let idToken = try #require(signedIn["idToken"])
            _ = try server.refresh(refreshToken)
            _ = try server.lookUp(idToken)
            secrets += [String(number.dropFirst(2)), session, code, wrongCode(besides: code), refreshToken, idToken]
            secrets += [String(idToken.split(separator: ".")[2])]
        }
        _ = try server.signIn("made-up-session", "975310")
        _ = try server.refresh("made-up-token")
        _ = try server.get("/v1/accounts/6505550189?key=secret-api-key")
        _ = try server.post("/v1/accounts:sendVerificationCode", #"{"phoneNumber":"+16505550189"#)
        server.redis.stop()
        _ = try server.sendVerificationCode("+16505550180", apiKey: "secret-api-key")
        for secret in server.loggedSecrets(of: secrets) { Issue.record("the log holds \(secret)") }

        let lines = server.log.split(separator: "\n").filter { $0.contains(#""message":"request""#) }
        let sends = lines.compactMap(fields).filter { $0.text("route") == "sendVerificationCode" }
        let opened = try #require(sends.first { $0.text("reason") == "opened" })
        #expect(opened.text("method") == "POST")
        #expect(opened.text("region") == "US")
        #expect(opened.text("number").hasSuffix("018" + (opened.text("number").last.map(String.init) ?? "")))
        #expect(opened.text("project") == "demo-dialtone")
        #expect(opened.text("requestId").count == 32)
        #expect(opened["status"] == .number("200"))
        guard case .number(let duration) = opened["durationMicroseconds"] else {
            Issue.record("no duration")
            return
        }
        #expect(Int(duration) ?? 0 > 0)
        #expect(sends.contains { $0["status"] == .number("503") && $0.text("detail").contains("Redis") })
    }

    @Test("the response, nginx's log and the worker's log have the same request id")
    func requestID() throws {
        let server = try RunningServer(workers: 1)
        let id = try #require(try server.sendVerificationCode("+16505550185").headers["x-request-id"])
        #expect(server.folder.read("worker-0.log").contains(id))
        #expect(eventually { server.folder.read("access.log").contains(id) })
        #expect(server.folder.read("access.log").contains("/v1/accounts:sendVerificationCode"))
    }

    private func fields(_ line: Substring) -> JSONObject? {
        guard case .object(let object) = try? JSONValue.parse(Array(line.utf8)) else { return nil }
        return object
    }
}
