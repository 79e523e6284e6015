import Encodings
import GatewayStandIn
import Processes
import TestServers
import Testing

/// `dialtone explain`: why a code was refused, and what happened to its message.
@Suite(.timeLimit(.minutes(30))) struct ExplainTests {
    private func reference(_ answer: HTTPAnswer) throws -> String {
        let reference = try #require(answer.headers["dialtone-reference"])
        #expect(reference.utf8.count == 14)
        return reference
    }

    @Test("a send is explained from its app proof to the gateway that accepted its message")
    func sent() async throws {
        let deployment = try await MessageDeployment.start()
        try deployment.server.startDispatcher()
        deployment.first.queue(.answer(422))
        let answer = try deployment.server.sendVerificationCode("+16505550911")
        let reference = try reference(answer)
        #expect(eventually { deployment.queued == 0 })
        let explained = try deployment.server.dialtone("explain", reference)
        #expect(explained.isFine)
        let lines = explained.output.split(separator: "\n").map(String.init)
        #expect(lines[0].hasSuffix(" sendVerificationCode in demo-dialtone"))
        #expect(
            lines[1...8].map { $0.split(separator: ", this one counts until ")[0] } == [
                "number     +•••••••0911, US", "app proof  development mode", "limits     number, 1 h: 1 of 5",
                "           number, 24 h: 1 of 10", "           network, 1 h: 1 of 100000",
                "breaker    normal: 0 unverified messages to the number's ten thousand neighbors, 20 allowed",
                "decision   opened", "message    to second, after first",
            ]
        )
        #expect(lines[9].hasSuffix(" the gateway accepted it"))
        #expect(lines.count == 10)
        // Users may write down the reference this way.
        let spoken = reference.lowercased().split(separator: "-").joined()
        #expect(try deployment.server.dialtone("explain", spoken).output == explained.output)
        #expect(deployment.server.log.contains(reference))
    }

    @Test("the explanation contains the gateway's own id of the message, but none that contains the number")
    func gatewayID() async throws {
        let deployment = try await MessageDeployment.start()
        try deployment.server.startDispatcher()
        let sends = [("theirs-1", 3, true), ("6505550912-1", 2, false), ("msg-1-650-555.09_14", 4, false)]
        for (id, lastDigit, isShown) in sends {
            deployment.first.queue(.answer(200, #"{"messageId":"\#(id)"}"#))
            let answer = try deployment.server.sendVerificationCode("+1650555091\(lastDigit)")
            let reference = try reference(answer)
            #expect(eventually { deployment.queued == 0 })
            let explained = try deployment.server.dialtone("explain", reference).output
            #expect(explained.contains("message    to first\n"), "\(explained)")
            #expect(explained.contains("           the gateway's id of the message is \(id)\n") == isShown)
        }
    }

    @Test("a send within the reentrancy lock is explained as such, without a message")
    func reentered() throws {
        let server = try RunningServer(workers: 1)
        _ = try server.openVerification("+16505550921")
        let again = try reference(try server.sendVerificationCode("+16505550921"))
        let explained = try server.dialtone("explain", again)
        #expect(explained.output.contains("decision   reentered\n"))
        #expect(!explained.output.contains("message"))
    }

    @Test("a rate limit error contains the reference, and the explanation names the limit")
    func limited() throws {
        let server = try RunningServer(
            workers: 1,
            settings: ["SENDS_PER_NUMBER_PER_HOUR": "1", "SENDS_PER_NUMBER_PER_DAY": "9"]
        )
        _ = try server.openVerification("+16505550931", apiKey: "one")
        let refused = try server.sendVerificationCode("+16505550931", apiKey: "two")
        let reference = try reference(refused)
        #expect(refused.errorMessage == "TOO_MANY_ATTEMPTS_TRY_LATER : Reference \(reference).")
        let explained = try server.dialtone("explain", reference).output
        #expect(explained.contains("number     +•••••••0931, US\n"))
        #expect(explained.contains(": 1 of 1 sends per number in 3600 s, retry in 3"))
    }

    @Test("wrong codes, regions and missing proofs are explained")
    func refusals() throws {
        let server = try RunningServer(
            .production,
            workers: 1,
            settings: ["PROJECT_DEMO_DIALTONE_SMS_ALLOWED_REGIONS": "GB"]
        )
        let region = try server.sendVerificationCode("+16505550941")
        #expect(try server.dialtone("explain", try reference(region)).output.contains("region US is not"))
        let proof = try server.sendVerificationCode("+442079460941")
        #expect(try server.dialtone("explain", try reference(proof)).output.contains("decision   CAPTCHA_CHECK_FAILED"))
        let number = try server.sendVerificationCode("nonsense")
        let explained = try server.dialtone("explain", try reference(number)).output
        #expect(
            explained.contains("decision   INVALID_PHONE_NUMBER : Invalid format.") && !explained.contains("nonsense")
        )
        let session = try server.signIn("nonsense", "123456")
        #expect(try server.dialtone("explain", try reference(session)).output.contains("signInWithPhoneNumber"))
    }

    @Test("a number leads to its latest requests, accepted and refused, and to what became of the last one")
    func number() throws {
        let server = try RunningServer(workers: 1, settings: ["SENDS_PER_NUMBER_PER_HOUR": "1"])
        let number = "+16505550951"
        let sent = try reference(try server.sendVerificationCode(number, apiKey: "one"))
        let refused = try reference(try server.sendVerificationCode(number, apiKey: "two"))
        _ = try server.sendVerificationCode("+16505550952")
        let lines = try server.dialtone("explain", number).output.split(separator: "\n").map(String.init)
        try #require(lines.count > 3)
        #expect(lines[0].contains("Z  \(refused)  TOO_MANY_ATTEMPTS_TRY_LATER : "), "\(lines[0])")
        #expect(lines[1].hasSuffix("Z  \(sent)  opened"), "\(lines[1])")
        #expect(lines[2].hasSuffix(" sendVerificationCode in demo-dialtone"))
        #expect(lines.contains { $0.hasPrefix("decision   TOO_MANY_ATTEMPTS_TRY_LATER") })
        let key = server.redis.cli("--scan", "--pattern", "dt:{demo-dialtone}:refusals:*")
        let stored = server.redis.cli("XRANGE", key, "-", "+")
        #expect(stored.contains("TOO_MANY_ATTEMPTS_TRY_LATER") && !stored.contains("6505550951"))
        let none = try server.dialtone("explain", "+16505550953")
        #expect(none.errors == "dialtone: \"+16505550953\": no request in the last 24 hours\n")
        let invalid = try server.dialtone("explain", "+1")
        #expect(invalid.errors == "dialtone: \"+1\": not a possible phone number in E.164 form\n")
    }

    @Test("an invalid or unknown reference is reported in one line")
    func unknown() throws {
        let server = try RunningServer(workers: 1)
        #expect(
            try server.dialtone("explain", "0000-0000-0000").errors
                == "dialtone: \"0000-0000-0000\": no decision with this reference, or it has expired\n"
        )
        #expect(try server.dialtone("explain", "short").errors.contains("'short' is invalid for '<reference>': not a"))
    }
}
