import Encodings
import Testing

/// Requests of test suites written for the reference emulator.
@Suite struct EmulatorTests {
    let server: RunningServer

    init() throws {
        server = try RunningServer(workers: 1)
    }

    @Test("open sessions are listed in order of creation until they end")
    func verificationCodes() throws {
        let numbers = (50..<55).map(fictionalNumber)
        let sessions = try numbers.map { try server.openVerification($0) }
        #expect(try server.pendingCodes().map(\.session) == sessions)
        #expect(try server.pendingCodes().map(\.number) == numbers)
        #expect(try server.signIn(sessions[1], try server.code(of: sessions[1])).status == 200)
        #expect(try server.pendingCodes().map(\.session) == sessions.filter { $0 != sessions[1] })
    }

    @Test("the configuration can be read and changed field by field")
    func config() throws {
        let path = "/emulator/v1/projects/demo-dialtone/config"
        let client = HTTPClient(port: server.port)
        func flags(_ answer: HTTPAnswer) -> [JSONValue?] {
            guard case .object(let signIn) = answer.json["signIn"],
                case .object(let privacy) = answer.json["emailPrivacyConfig"]
            else { return [] }
            return [signIn["allowDuplicateEmails"], privacy["enableImprovedEmailPrivacy"]]
        }
        #expect(flags(try client.request("GET", path)) == [.bool(false), .bool(false)])
        let json = [("Content-Type", "application/json")]
        let body = Array(#"{"signIn":{"allowDuplicateEmails":true}}"#.utf8)
        #expect(flags(try client.request("PATCH", path, headers: json, body: body)) == [.bool(true), .bool(false)])
        #expect(flags(try client.request("GET", path)) == [.bool(true), .bool(false)])
        let wrong = try client.request("PATCH", path, headers: json, body: Array(#"{"signIn":3}"#.utf8))
        #expect(wrong.status == 400)
        #expect(flags(try client.request("GET", path)) == [.bool(true), .bool(false)])
    }

    @Test("the list of e-mail codes is empty")
    func oobCodes() throws {
        #expect(try server.get("/emulator/v1/projects/demo-dialtone/oobCodes").json["oobCodes"] == .array([]))
    }

    @Test("another project is not found, and the message explains why")
    func otherProject() throws {
        let answer = try server.get("/emulator/v1/projects/another/verificationCodes")
        #expect(answer.status == 404)
        #expect(answer.errorMessage == "PROJECT_NOT_FOUND : This server's project is demo-dialtone.")
    }

    @Test("the try-it page and its resources have a strict content security policy")
    func tryItPage() throws {
        let page = try server.get("/", headers: [("Accept", "text/html")])
        let html = String(decoding: page.body, as: UTF8.self)
        #expect(page.headers["content-type"]?.hasPrefix("text/html") == true)
        #expect(page.headers["content-security-policy"]?.contains("default-src 'none'") == true)
        #expect(!html.contains("style=") && !html.contains("onclick=") && !html.contains("<style"))
        for asset in ["/try-it.css", "/try-it.js", "/qr-code.js"] {
            #expect(html.contains(asset))
            #expect(try server.get(asset).status == 200)
        }
    }
}
