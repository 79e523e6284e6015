import Processes
import TestServers
import Testing

@testable import dialtone

/// Possible numbers that are not assigned to a region, through the whole server.
@Suite struct UnassignedNumberTests {
    @Test("in production, nothing is sent to unassigned or countryless numbers, except test numbers")
    func refused() throws {
        let server = try RunningServer(.production, workers: 1)
        for number in ["+19995550100", "+4910000000"] {
            let answer = try server.sendVerificationCode(number)
            #expect(answer.status == 400)
            #expect(answer.errorMessage == "INVALID_PHONE_NUMBER : Invalid format.")
        }
        let refused = try server.sendVerificationCode("+80012345678")
        #expect(refused.errorMessage?.hasPrefix("OPERATION_NOT_ALLOWED") == true)
        #expect(server.log.contains(#""detail":"the number is not assigned in any region""#))
        #expect(server.redis.cli("--scan", "--pattern", "dt:{p*").isEmpty)
        // Fictional numbers in the US are assigned, so their app must be proven, like any other.
        #expect(try server.sendVerificationCode("+16505550191").errorMessage == "CAPTCHA_CHECK_FAILED")
        #expect(
            try server.dialtone(["test-numbers", "set", "+19995550100", "271828", "--project", "demo-dialtone"]).isFine
        )
        #expect(try eventually { try server.sendVerificationCode("+19995550100").status == 200 })
    }

    @Test("a setting allows both, and development mode allows them by default")
    func allowed() throws {
        let settings = ["PROJECT_DEMO_DIALTONE_SMS_UNASSIGNED_NUMBERS": "allowed"]
        let production = try RunningServer(.production, workers: 1, settings: settings)
        #expect(try production.sendVerificationCode("+19995550100").errorMessage == "CAPTCHA_CHECK_FAILED")
        let development = try RunningServer(workers: 1)
        #expect(try development.sendVerificationCode("+19995550100").status == 200)
        #expect(try development.sendVerificationCode("+80012345678").status == 200)
    }

    @Test("config check warns about projects that send to every region")
    func reminder() throws {
        let server = try RunningServer(.production, workers: 1)
        let check = try server.dialtone("config", "check")
        #expect(check.isFine)
        let reminder =
            "consider     demo-dialtone sends to every region: DIALTONE_PROJECT_DEMO_DIALTONE_SMS_ALLOWED_REGIONS"
        #expect(check.output.contains(reminder))
        #expect(!check.output.contains("assigned in no region"))
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
