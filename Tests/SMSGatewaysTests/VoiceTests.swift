import Cryptography
import Encodings
import GatewayStandIn
import SMSGateways
import Testing

/// Gateways that call and say the code.
@Suite struct VoiceTests {
    private static func twilio(_ pair: Pair, receipts: GatewayURL? = nil) throws -> TwilioVoiceGateway {
        try TwilioVoiceGateway(
            name: try Example.name(),
            account: try TwilioAccount(accountSID: Example.accountSID, authToken: try GatewaySecret(Example.secret)),
            caller: "+16505550100",
            receipts: receipts,
            server: try GatewayURL(pair.server.url),
            client: pair.client
        )
    }

    @Test("Twilio is given the text as TwiML, which is said twice in the language, with its characters escaped")
    func twilioForm() async throws {
        try await Pair.run { pair in
            pair.server.queue(.answer(201, #"{"sid":"CA0123456789abcdef0123456789abcdef","status":"queued"}"#))
            let gateway = try Self.twilio(pair, receipts: try GatewayURL(Example.receipts))
            let outcome = await gateway.send(try Example.message())
            #expect(outcome == .accepted(GatewayMessageID("CA0123456789abcdef0123456789abcdef")))
            let request = try #require(pair.server.requests.first)
            #expect(request.path == "/2010-04-01/Accounts/\(Example.accountSID)/Calls.json")
            #expect(
                request.form == [
                    "To": Example.phoneNumber, "From": "+16505550100",
                    "Twiml": #"<Response><Say language="en-US" loop="2">1, 2, 3, 4, 5, 6 is your code for "#
                        + "“Ex&amp;mple” &lt;1&gt;</Say></Response>",
                    "StatusCallback": "\(Example.receipts)?message=m-1_A",
                ]
            )
        }
    }

    @Test("Twilio's codes for calls map to kinds of errors")
    func twilioErrors() async throws {
        try await Pair.run { pair in
            let gateway = try Self.twilio(pair)
            for (status, code, description) in [
                (400, 21214, "refused: number invalid (21214)"),
                (400, 21215, "refused: destination not enabled (21215)"),
                (400, 21210, "misconfigured: sender not allowed (21210)"),
                (401, 20003, "misconfigured: credentials refused (20003)"), (429, 20429, "not sent: throttled (20429)"),
            ] {
                let reply = Reply.answer(status, #"{"code":\#(code),"message":"no +16505550123"}"#)
                #expect(try await pair.outcome(of: gateway, reply).description == description)
            }
            pair.server.queue(.answer(200, #"{"calls":[]}"#), .answer(401, #"{"code":20003}"#))
            #expect(await gateway.check() == nil)
            #expect(await gateway.check()?.description == "misconfigured: credentials refused (20003)")
        }
    }

    @Test("an answered call is delivered, and one that is not answered is not")
    func twilioReceipts() throws {
        let verifier = TwilioReceiptVerifier(authToken: try GatewaySecret(Example.secret))
        let url = Example.receipts + "?message=m-1_A"
        let states: [(String, DeliveryReceipt.State)] = [
            ("completed", .delivered), ("busy", .undelivered(nil)), ("no-answer", .undelivered(nil)),
            ("failed", .undelivered(nil)), ("ringing", .pending),
        ]
        for (status, state) in states {
            let code = HMAC.authenticationCode(
                .sha1,
                for: Array("\(url)CallSidCA1CallStatus\(status)".utf8),
                key: Array(Example.secret.utf8)
            )
            let headers = ["x-twilio-signature": Base64.encode(code)]
            let verdict = verdict(of: verifier, on: "CallSid=CA1&CallStatus=\(status)", url: url, headers)
            #expect(verdict == .success(try .example(state)))
        }
    }

    @Test("a caller that is no number is a fault of the sender")
    func callers() async throws {
        try await Pair.run { pair in
            #expect(throws: GatewayConfigurationError.malformedSender) {
                try TwilioVoiceGateway(
                    name: try Example.name(),
                    account: try TwilioAccount(
                        accountSID: Example.accountSID,
                        authToken: try GatewaySecret(Example.secret)
                    ),
                    caller: "Example",
                    client: pair.client
                )
            }
        }
    }
}
