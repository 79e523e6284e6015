import Encodings
import TestServers
import Testing

/// The requests of sign-in pages before and while a number is typed, through the whole server.
@Suite(.sharedServer) struct SignInConfigTests {
    private let server: RunningServer

    init() throws { server = try #require(SharedServer.current) }

    private func parse(_ number: String, _ region: String) throws -> JSONObject {
        let answer = try server.post(
            "/v2/parsePhoneNumber",
            #"{"phoneNumber":"\#(number)","regionCode":"\#(region)"}"#
        )
        try #require(answer.status == 200, "\(answer.text)")
        return answer.json
    }

    @Test("a typed number is read and formatted")
    func parses() throws {
        let number = try parse("(650) 555-0101", "US")
        #expect(number["valid"] == .bool(true) && number["regionAllowed"] == .bool(true))
        #expect(number.text("phoneNumber") == "+16505550101" && number.text("regionCode") == "US")
        #expect(number.text("nationalFormat") == "(650) 555-0101")
        #expect(number.text("internationalFormat") == "+1 650-555-0101")
        #expect(number.text("asYouType") == "(650) 555-0101")
    }

    @Test(
        "an incomplete number has a reason",
        arguments: [("65", "TOO_SHORT"), ("abc", "MALFORMED"), ("65055501010101", "TOO_LONG"), ("", "MALFORMED")]
    )
    func reasons(number: String, reason: String) throws {
        let answer = try parse(number, "US")
        #expect(answer["valid"] == .bool(false) && answer.text("reason") == reason && answer["phoneNumber"] == nil)
    }

    @Test("no number reaches the log, and an invalid region is refused")
    func hostile() throws {
        _ = try parse("+16505550188", "US")
        #expect(!server.log.contains("6505550188"))
        let answer = try server.post("/v2/parsePhoneNumber", #"{"phoneNumber":"1","regionCode":"us\u0000"}"#)
        #expect(answer.status == 400 && answer.errorMessage?.hasPrefix("INVALID_ARGUMENT") == true)
        #expect(try HTTPClient(port: server.port).request("POST", "/v2/parsePhoneNumber").status == 403)
    }

    @Test("the response is the same whether a number has an account or not")
    func noEnumeration() throws {
        let before = try parse("+16505550187", "US")
        let session = try #require(try server.sendVerificationCode("+16505550187")["sessionInfo"])
        #expect(try server.signIn(session, try server.code(of: session)).status == 200)
        #expect(try parse("+16505550187", "US") == before)
    }

    @Test("the configuration has texts, methods and regions, and browsers cache it")
    func configuration() throws {
        let client = HTTPClient(port: server.port)
        let answer = try client.request("GET", "/v2/signInConfig?key=\(RunningServer.apiKey)&hl=de-AT")
        #expect(answer.status == 200)
        #expect(answer.headers["cache-control"]?.contains("max-age=300") == true)
        let json = answer.json
        #expect(json.text("language") == "de" && json.text("direction") == "ltr")
        #expect(json["phoneSignIn"] == .bool(true) && json["codeLength"] == .number("6"))
        #expect(json.object("texts")["title"] != nil)
        guard case .array(let regions) = json["regions"] else { throw ServerFailure(description: "no regions") }
        #expect(regions.count > 240)
        #expect(try client.request("GET", "/v2/signInConfig").status == 403)
    }

    @Test("only regions that the project sends to are listed, and numbers of others are not allowed")
    func allowedRegions() throws {
        let server = try RunningServer(
            workers: 1,
            settings: ["PROJECT_DEMO_DIALTONE_SMS_ALLOWED_REGIONS": "AT,CA"]
        )
        let answer = try HTTPClient(port: server.port)
            .request("GET", "/v2/signInConfig?key=\(RunningServer.apiKey)")
        guard case .array(let regions) = answer.json["regions"] else { throw ServerFailure(description: "no regions") }
        let codes = regions.map { region -> JSONValue? in
            guard case .array(let entry) = region else { return nil }
            return entry.first
        }
        #expect(codes == [.string("AT"), .string("CA")])
        for (number, isAllowed) in [("+16505550101", false), ("+14165550101", true)] {
            let parsed = try server.post("/v2/parsePhoneNumber", #"{"phoneNumber":"\#(number)"}"#)
            #expect(parsed.json["regionAllowed"] == .bool(isAllowed))
            #expect(parsed.json["accepted"] == .bool(isAllowed))
        }
    }

    @Test("the response says whether the project sends to a number that the numbering data do not know")
    func unknownNumber() throws {
        let number = try parse("999 555-0101", "US")
        #expect(number["valid"] == .bool(false) && number["accepted"] == .bool(true))
        #expect(number.text("phoneNumber") == "+19995550101" && number["regionAllowed"] == .bool(true))
        let other = try parse("+80012345678", "US")
        #expect(other["valid"] == .bool(true) && other["accepted"] == .bool(false))
        let server = try RunningServer(
            workers: 1,
            settings: ["PROJECT_DEMO_DIALTONE_SMS_UNASSIGNED_NUMBERS": "refused"]
        )
        let refused = try server.post("/v2/parsePhoneNumber", #"{"phoneNumber":"+19995550101"}"#)
        #expect(refused.json["accepted"] == .bool(false))
    }

    @Test("an Argentine number is read in the form that receives messages")
    func spelling() throws {
        let number = try parse("11 2345-6789", "AR")
        #expect(number.text("phoneNumber") == "+5491123456789" && number.text("asYouType") == "11 2345-6789")
    }

    @Test("the response to a wrong code has the remaining attempts in a header")
    func attemptsLeft() throws {
        let session = try #require(try server.sendVerificationCode("+16505550186")["sessionInfo"])
        let wrong = try server.code(of: session) == "000000" ? "111111" : "000000"
        for left in ["4", "3"] {
            let answer = try server.signIn(session, wrong)
            #expect(answer.errorMessage == "INVALID_CODE")
            #expect(answer.headers["dialtone-attempts-left"] == left)
            #expect(answer.headers["access-control-expose-headers"]?.contains("Dialtone-Attempts-Left") == true)
        }
    }

    @Test("the component's module has a path with its hash, and browsers cache it indefinitely")
    func module() throws {
        let client = HTTPClient(port: server.port)
        let loader = try client.request("GET", "/__/auth/sign-in.js")
        let path = try #require(loader.text.split(separator: "'").first { $0.hasPrefix("/__/auth/sign-in-") })
        let module = try client.request("GET", String(path))
        #expect(module.status == 200 && module.text.contains("dialtone-sign-in"))
        #expect(module.headers["cache-control"] == "public, max-age=31536000, immutable")
        let other = try client.request("GET", "/__/auth/sign-in-0123456789abcdef.js")
        #expect(other.text == module.text && other.headers["cache-control"] == "no-store")
    }
}
