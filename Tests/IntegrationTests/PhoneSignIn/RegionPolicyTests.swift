import Encodings
import TestServers
import Testing

/// The regions that a project sends to, through the whole server.
@Suite struct RegionPolicyTests {
    private static let refusal =
        "OPERATION_NOT_ALLOWED : SMS unable to be sent until this region enabled by the app developer."

    static let matrix: [(number: String, region: String)] = [
        ("+16505550191", "US"), ("+14165550123", "CA"), ("+18765550123", "JM"), ("+18095550123", "DO"),
        ("+17875550123", "PR"), ("+79261234567", "RU"), ("+77012345678", "KZ"), ("+447400123456", "GB"),
        ("+447797712345", "JE"), ("+447911123456", "GG"), ("+447624012345", "IM"), ("+59995181234", "CW"),
        ("+5993181234", "BQ"), ("+262692123456", "RE"), ("+262639012345", "YT"), ("+80012345678", "001"),
    ]

    @Test(
        "of regions with one calling code, only allowed ones are sent to, and the log has the reason"
    )
    func allowlist() throws {
        let allowed = ["US", "CA", "KZ", "GB", "CW", "RE", "001"]
        let server = try RunningServer(
            workers: 1,
            settings: ["PROJECT_DEMO_DIALTONE_SMS_ALLOWED_REGIONS": allowed.joined(separator: ", ")]
        )
        for (number, region) in Self.matrix {
            let answer = try server.sendVerificationCode(number)
            if allowed.contains(region) {
                #expect(answer.status == 200, "\(region)")
                #expect(try server.messages(to: number).count == 1)
            } else {
                #expect(answer.status == 400)
                #expect(answer.errorMessage == Self.refusal)
                #expect(server.log.contains(#""detail":"region \#(region) is not in the allow list""#))
                #expect(try server.messages(to: number).isEmpty)
            }
        }
    }

    @Test("a number that the numbering data do not know is sent to if the main region of its calling code is allowed")
    func unknownNumber() throws {
        for (allowed, isSent) in [("US", true), ("JM,CA", false)] {
            let server = try RunningServer(
                workers: 1,
                settings: ["PROJECT_DEMO_DIALTONE_SMS_ALLOWED_REGIONS": allowed]
            )
            let answer = try server.sendVerificationCode("+19995550100")
            #expect(isSent ? answer.status == 200 : answer.errorMessage == Self.refusal)
        }
    }

    @Test("all regions except the disallowed ones are sent to, and refusals leave no trace in Redis")
    func denylist() throws {
        let disallowed = ["JM", "RU", "JE", "BQ", "YT", "001"]
        let server = try RunningServer(
            workers: 1,
            settings: ["PROJECT_DEMO_DIALTONE_SMS_DISALLOWED_REGIONS": disallowed.joined(separator: ",")]
        )
        for (number, region) in Self.matrix where disallowed.contains(region) {
            #expect(try server.sendVerificationCode(number).errorMessage == Self.refusal)
        }
        #expect(server.keysOfSends == "")
        #expect(server.redis.cli("--scan", "--pattern", "*rate*").isEmpty)
        #expect(server.log.contains("region JM is in the list of disallowed regions"))
        for (number, region) in Self.matrix where !disallowed.contains(region) {
            #expect(try server.sendVerificationCode(number).status == 200, "\(region)")
        }
    }

    @Test("a region is refused before the app is verified, and test numbers are exempt")
    func production() throws {
        let server = try RunningServer(
            .production,
            workers: 1,
            settings: ["PROJECT_DEMO_DIALTONE_SMS_ALLOWED_REGIONS": "US"]
        )
        #expect(try server.sendVerificationCode("+18765550123").errorMessage == Self.refusal)
        #expect(try server.sendVerificationCode("+16505550191").errorMessage == "CAPTCHA_CHECK_FAILED")
        let set = ["test-numbers", "set", "+18765550123", "271828", "--project", "demo-dialtone"]
        #expect(try server.dialtone(set[0], set[1], set[2], set[3], set[4], set[5]).isFine)
        #expect(try eventually { try server.sendVerificationCode("+18765550123").status == 200 })
    }

    @Test("if phone sign-in is disabled, nothing is sent, no one signs in, and SDKs recognize the error")
    func phoneSignInOff() throws {
        let server = try RunningServer(workers: 1, settings: ["PROJECT_DEMO_DIALTONE_PHONE_SIGN_IN": "disabled"])
        #expect(try server.dialtone("test-numbers", "set", "+16505550192", "271828").isFine)
        for number in ["+16505550191", "+16505550192"] {
            let answer = try server.sendVerificationCode(number)
            #expect(answer.status == 400)
            #expect(answer.errorMessage == "OPERATION_NOT_ALLOWED : Phone sign-in is disabled for this project.")
        }
        #expect(try server.sendVerificationCode("+1").errorMessage?.hasPrefix("INVALID_PHONE_NUMBER") == true)
        #expect(server.keysOfSends == "")
    }
}
