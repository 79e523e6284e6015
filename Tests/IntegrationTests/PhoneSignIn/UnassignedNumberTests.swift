import Processes
import TestServers
import Testing

@testable import dialtone

/// Possible numbers that the numbering data do not know, through the whole server.
@Suite struct UnassignedNumberTests {
    private static let breaker = ["SMS_BREAKER": "on"]

    private func send(_ number: String, to server: RunningServer) throws -> HTTPAnswer {
        let query = "apiKey=\(RunningServer.apiKey)"
        let token = try #require(try server.submit(try server.solvedChallenge(query), query)["token"])
        return try server.post(
            "/v1/accounts:sendVerificationCode",
            #"{"phoneNumber":"\#(number)","recaptchaToken":"\#(token)","clientType":"CLIENT_TYPE_WEB"}"#
        )
    }

    @Test("in production, a number that the numbering data do not know needs the hard challenge, and is then sent to")
    func challenged() throws {
        let server = try RunningServer(
            .production,
            workers: 1,
            settings: Self.breaker.merging(["SMS_UNVERIFIED_ALLOWANCE": "8"]) { $1 }
        )
        let refused = try send("+19995550100", to: server)
        #expect(refused.errorMessage == "CAPTCHA_CHECK_FAILED")
        #expect(server.log.contains("challenged: the number is not in the numbering data"))
        let reference = try #require(refused.headers["dialtone-reference"])
        #expect(try server.dialtone("explain", reference).output.contains(", US, not in numbering data of 20"))
        // The page now has the hard challenge. Two of these numbers' messages may be unverified, and half of that more.
        for index in 0..<3 {
            #expect(try send("+1999555010\(index)", to: server)["sessionInfo"] != nil, "\(index)")
        }
        let denied = try send("+19995560100", to: server)
        #expect(denied.errorMessage?.hasPrefix("TOO_MANY_ATTEMPTS_TRY_LATER") == true)
        #expect(server.log.contains("denied: 3 unverified messages to the number's million neighbors, 2 allowed"))
        // Another series of a known area code is not affected.
        #expect(try send("+16505550191", to: server)["sessionInfo"] != nil)
    }

    @Test("a setting refuses them, for messages and for new accounts, and test numbers are exempt")
    func refused() throws {
        let server = try RunningServer(
            .production,
            workers: 1,
            settings: ["PROJECT_DEMO_DIALTONE_SMS_UNASSIGNED_NUMBERS": "refused"]
        )
        for number in ["+19995550100", "+4910000000"] {
            let answer = try server.sendVerificationCode(number)
            #expect(answer.status == 400)
            #expect(answer.errorMessage == "INVALID_PHONE_NUMBER : Invalid format.")
        }
        #expect(server.log.contains("the number is not in the numbering data, and the project refuses such numbers"))
        #expect(server.keysOfSends == "")
        let folder = try TemporaryFolder()
        try folder.write(#"{"localId":"ada","phoneNumber":"+19995550101"}"# + "\n", to: "users")
        let users = folder.path(of: "users")
        let imported = try server.dialtone(["users", "import", users, "--project", "demo-dialtone"])
        #expect(imported.errors.contains("SMS_UNASSIGNED_NUMBERS is refused"))
        #expect(!imported.errors.contains("9995550101"))
        #expect(
            try server.dialtone(["test-numbers", "set", "+19995550100", "271828", "--project", "demo-dialtone"]).isFine
        )
        #expect(try eventually { try server.sendVerificationCode("+19995550100").status == 200 })
    }

    @Test("by default, nothing is sent to numbers of no country, in development mode either; a setting allows them")
    func nonGeographic() throws {
        let production = try RunningServer(.production, workers: 1)
        #expect(try production.sendVerificationCode("+80012345678").errorMessage?.hasPrefix("OPERATION_NOT_") == true)
        let development = try RunningServer(workers: 1)
        #expect(try development.sendVerificationCode("+80012345678").errorMessage?.hasPrefix("OPERATION_NOT_") == true)
        let settings = ["PROJECT_DEMO_DIALTONE_SMS_UNASSIGNED_NUMBERS": "allowed"]
        let allowing = try RunningServer(.production, workers: 1, settings: settings)
        #expect(try allowing.sendVerificationCode("+80012345678").errorMessage == "CAPTCHA_CHECK_FAILED")
        #expect(try allowing.dialtone("config", "check").output.contains("not in the numbering data"))
    }

    @Test("development mode sends to numbers that the numbering data do not know, and the log says so")
    func development() throws {
        let server = try RunningServer(workers: 1, settings: Self.breaker)
        for index in 0..<10 {
            #expect(try server.sendVerificationCode("+1999555010\(index)").status == 200)
        }
        #expect(server.log.contains("the number is not in the numbering data"))
    }

    @Test("config check warns about projects that send to every region")
    func reminder() throws {
        let server = try RunningServer(.production, workers: 1)
        let check = try server.dialtone("config", "check")
        #expect(check.isFine)
        let reminder =
            "consider     demo-dialtone sends to every region: DIALTONE_PROJECT_DEMO_DIALTONE_SMS_ALLOWED_REGIONS"
        #expect(check.output.contains(reminder))
        #expect(!check.output.contains("not in the numbering data"))
        let decided = try RunningServer(
            .production,
            workers: 1,
            settings: [
                "PROJECT_DEMO_DIALTONE_SMS_ALLOWED_REGIONS": "US", "PROJECT_OTHER_SMS_DISALLOWED_REGIONS": "CU",
            ]
        )
        #expect(try !decided.dialtone("config", "check").output.contains("consider"))
    }
}
