import Encodings
import Processes
import TestBrowser
import TestServers
import Testing

/// The hook receiver in the documentation, which verifies events with PyJWT and the server's published keys.
@Suite struct BlockingHookReceiverTests {
    /// Returns the Python example in the guide to blocking hooks.
    private static func example(_ replacements: [(String, String)]) throws -> String {
        let article = readFile("\(RunningServer.packageFolder)/Sources/HookCalls/HookCalls.docc/BlockingHooks.md")
        let blocks = article.components(between: "```python\n", and: "```")
        let example = try #require(blocks.count == 1 ? blocks.first : nil)
        return replacements.reduce(example) { $0.replacing($1.0, with: $1.1) }
    }

    @Test("the documented receiver verifies events, changes accounts, denies sign-ins, and rejects everything else")
    func documentedExample() throws {
        let port = FreePort.next()
        let hooks = "http://127.0.0.1:\(port)"
        let server = try RunningServer(
            workers: 1,
            settings: [
                "PROJECT_DEMO_DIALTONE_BEFORE_CREATE_URL": hooks + "/create",
                "PROJECT_DEMO_DIALTONE_BEFORE_SIGN_IN_URL": hooks + "/sign-in",
                "PROJECT_DEMO_DIALTONE_BEFORE_SECOND_FACTOR_ENROLLMENT_URL": hooks + "/second-factor",
            ]
        )
        let folder = try TemporaryFolder(prefix: "dialtone-hooks")
        let receiver = try Self.example([
            ("https://hooks.example.com", hooks), ("https://auth.example.com", "http://127.0.0.1:\(server.port)"),
            ("my-project", "demo-dialtone"), ("8080", String(port)),
        ])
        try folder.write(receiver, to: "receiver.py")
        let log = folder.path(of: "log")
        let child = try ChildProcess.start(
            try Python.path(),
            [folder.path(of: "receiver.py")],
            output: .file(path: log),
            errors: .file(path: log)
        )
        defer { child.stop() }
        let client = HTTPClient(port: port)
        #expect(eventually { (try? client.request("POST", "/create").status) == 401 })

        let signedIn = try server.signInFresh("+16505550101")
        #expect(signedIn.status == 200, "\(signedIn.errorMessage ?? "") \(folder.read("log"))")
        let idToken = try #require(signedIn["idToken"])
        let claims = try idTokenClaims(idToken)
        #expect(claims.text("plan") == "trial" && claims.text("address") == "127.0.0.1")

        let denied = try server.signInFresh("+16505550199")
        #expect(denied.status == 400)
        #expect(
            denied.errorMessage
                == "BLOCKING_FUNCTION_ERROR_RESPONSE : ((HTTP request to \(hooks) returned HTTP error 403: "
                + #"{"error":{"message":"Ask us for an invitation.","status":"PERMISSION_DENIED"}}))"#
        )
        let user = try SecondFactorUser(server)
        let enrolled = try user.preparedEnrollment(of: "+16505550102")()
        #expect(enrolled.status == 200, "\(enrolled.errorMessage ?? "") \(folder.read("log"))")
        let code = try #require(folder.read("log").components(between: "/undo?code=", and: "\n").first)
        #expect(try server.post("/v1/accounts:update", #"{"oobCode":"\#(code)"}"#).status == 200)
        #expect(try server.post("/v1/accounts:update", #"{"oobCode":"\#(code)"}"#).errorMessage == "INVALID_OOB_CODE")
        #expect(!server.log.contains(code))

        // An ID token has the same issuer and keys but is not an event.
        let forged = try client.request("POST", "/create", body: Array(#"{"data":{"jwt":"\#(idToken)"}}"#.utf8))
        #expect(forged.status == 401)
    }
}

extension String {
    /// Returns the texts between each `start` and the next `end`.
    fileprivate func components(between start: String, and end: String) -> [String] {
        var found: [String] = []
        var rest = self[...]
        while let begin = rest.firstRange(of: start) {
            rest = rest[begin.upperBound...]
            guard let finish = rest.firstRange(of: end) else { break }
            found.append(String(rest[..<finish.lowerBound]))
            rest = rest[finish.upperBound...]
        }
        return found
    }
}
