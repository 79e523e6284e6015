import APNsStandIn
import Cryptography
import Encodings
import GatewayStandIn
import Processes
import TestServers
import Testing

/// Codes by phone call and by WhatsApp: at the user's request, and by the rule for messages that are sent again.
@Suite(.timeLimit(.minutes(30))) struct MessageChannelTests {
    private static let account = "AC" + MessageDeployment.secret

    /// A deployment whose routes end with a gateway that calls.
    private struct CallingDeployment {
        let messages: MessageDeployment
        let calls: GatewayServer
        private let folder: TemporaryFolder

        init(settings: [String: String] = [:]) async throws {
            calls = try await GatewayServer.start()
            folder = try TemporaryFolder()
            try folder.write(calls.authority.certificatePEM, to: "ca.pem")
            let own = [
                "GATEWAYS": "first,second,call,chat", "GATEWAY_TRUST_FILE": folder.path(of: "ca.pem"),
                "GATEWAY_CALL_KIND": "twilio-voice", "GATEWAY_CALL_ACCOUNT": account,
                "GATEWAY_CALL_SECRET": MessageDeployment.secret, "GATEWAY_CALL_SENDER": "+16505550100",
                "GATEWAY_CALL_URL": calls.url, "GATEWAY_CALL_RECEIPT_SECONDS": "60",
                "GATEWAY_CHAT_KIND": "whatsapp", "GATEWAY_CHAT_ACCOUNT": "106540352242922",
                "GATEWAY_CHAT_SECRET": MessageDeployment.secret, "GATEWAY_CHAT_TEMPLATE": "login_code",
                "GATEWAY_CHAT_URL": calls.url, "GATEWAY_CHAT_RECEIPT_SECONDS": "60",
                "GATEWAY_CHAT_RECEIPT_SECRET": MessageDeployment.secret,
            ]
            messages = try await MessageDeployment.start(
                routes: "*=first,call; GB=chat; FR=first",
                settings: own.merging(settings) { $1 }
            )
            try messages.server.startDispatcher()
        }

        func send(_ number: String, _ channel: String, _ headers: [(String, String)] = []) throws -> HTTPAnswer {
            try messages.server.post(
                "/v1/accounts:sendVerificationCode",
                #"{"phoneNumber":"\#(number)","recaptchaToken":"t","channel":"\#(channel)"}"#,
                headers: headers
            )
        }
    }

    @Test("a user who requests a call hears the code twice in their language, and operators see why")
    func call() async throws {
        let deployment = try await CallingDeployment()
        let server = deployment.messages.server
        let answer = try deployment.send("+16505551701", "voice", [("X-Firebase-Locale", "de")])
        #expect(answer.text.contains(#""channels":["sms","voice"]"#))
        let session = try #require(answer["sessionInfo"])
        #expect(eventually { deployment.messages.queued == 0 })
        let call = try #require(deployment.calls.requests.first)
        let code = try server.code(of: session)
        let text = try #require(call.form["Twiml"])
        #expect(text.hasPrefix(#"<Response><Say language="de-DE" loop="2">"#) && text.hasSuffix("</Say></Response>"))
        #expect(text.contains(code.map(String.init).joined(separator: ", ")))
        #expect(try server.signIn(session, code).status == 200)
        #expect(deployment.messages.first.requests.isEmpty)

        let reference = try #require(answer.headers["dialtone-reference"])
        let explained = try server.dialtone("explain", reference).output
        #expect(
            explained.contains("message    to call (voice)\n           first to call: the user requested the channel\n")
        )
        #expect(try server.dialtone("explain", reference, "--json").output.contains(#""channel":"voice""#))
        let report = try server.dialtone("sms", "report").output
        #expect(report.contains("US      call (voice)"), "\(report)")
        #expect(server.loggedSecrets(of: [code, "6505551701"]) == [])
    }

    @Test("a call that is not answered becomes a text message with the same code")
    func unanswered() async throws {
        let deployment = try await CallingDeployment()
        let server = deployment.messages.server
        let session = try #require(try deployment.send("+16505551702", "voice")["sessionInfo"])
        #expect(eventually { deployment.messages.queued == 0 && !deployment.calls.requests.isEmpty })
        let url = try #require(deployment.calls.requests.first?.form["StatusCallback"])
        let signed = Array("\(url)CallStatusno-answer".utf8)
        let signature = HMAC.authenticationCode(.sha1, for: signed, key: Array(MessageDeployment.secret.utf8))
        let receipt = try HTTPClient(port: server.port).request(
            "POST",
            String(url.dropFirst("https://auth.example.com".count)),
            headers: [
                ("X-Twilio-Signature", Base64.encode(signature)), ("Content-Type", "application/x-www-form-urlencoded"),
            ],
            body: Array("CallStatus=no-answer".utf8)
        )
        #expect(receipt.status == 204, "\(receipt.text)")
        #expect(eventually { !deployment.messages.first.requests.isEmpty })
        let code = try server.code(of: session)
        #expect(MessageDeployment.messages(deployment.messages.first).first?.text.contains(code) == true)
    }

    @Test("a code that is requested again is called if the settings say so, and the first one is not")
    func resend() async throws {
        let deployment = try await CallingDeployment(settings: ["RESEND_CHANNELS": "*=voice", "LOCK_SECONDS": "1"])
        let server = deployment.messages.server
        let session = try server.openVerification("+16505551703")
        #expect(eventually { deployment.messages.first.requests.count == 1 })
        let isCalled = eventually(every: .milliseconds(200)) {
            (try? server.openVerification("+16505551703")) == session && !deployment.calls.requests.isEmpty
        }
        #expect(isCalled)
        #expect(deployment.messages.first.requests.count == 1)
        #expect(try server.scrape()[#"dialtone_messages_routed_total{channel="voice",reason="resend"}"#] >= 1)
    }

    @Test("under a spending cap, a text message that is refused does not become a call that costs more")
    func cap() async throws {
        let prices = [
            "GATEWAY_FIRST_PRICES": "*=0.05", "GATEWAY_SECOND_PRICES": "*=0.05", "GATEWAY_CALL_PRICES": "*=0.5",
            "GATEWAY_CHAT_PRICES": "*=0.02",
        ]
        for (cap, calls) in [("*=2", 0), ("", 1)] {
            let caps = cap.isEmpty ? [:] : ["SMS_SPEND_CAPS": cap]
            let deployment = try await CallingDeployment(settings: prices.merging(caps) { $1 })
            deployment.messages.first.always(.answer(422))
            let server = deployment.messages.server
            let answer = try server.sendVerificationCode("+16505551707")
            #expect(eventually { deployment.messages.first.requests.count == 1 && deployment.messages.queued == 0 })
            #expect(deployment.calls.requests.count == calls, "\(cap)")
            let reference = try #require(answer.headers["dialtone-reference"])
            let explained = try server.dialtone("explain", reference).output
            #expect(explained.contains(calls == 0 ? "given up" : "to call (voice)"), "\(explained)")
        }
    }

    @Test("a second factor's code comes by the channel that the user requests, in both steps")
    func secondFactor() async throws {
        let deployment = try await CallingDeployment()
        let server = deployment.messages.server
        let user = try SecondFactorUser(server)
        let phone = #"{"phoneNumber":"+16505551706","recaptchaToken":"t","channel":"voice"}"#
        let started = try user.startEnrollment(#""phoneEnrollmentInfo":\#(phone)"#).json.object("phoneSessionInfo")
        #expect(started["channels"] == .array([.string("sms"), .string("voice")]))
        #expect(eventually { deployment.calls.requests.count == 1 })
        let session = started.text("sessionInfo")
        let code = try server.code(of: session)
        let enrolled = try user.finishEnrollment(
            #""phoneVerificationInfo":{"sessionInfo":"\#(session)","code":"\#(code)"}"#
        )
        #expect(enrolled.status == 200, "\(enrolled.text)")
        let pending = try server.post(
            "/v1/accounts:signInWithPassword",
            #"{"email":"\#(user.email)","password":"\#(SecondFactorUser.password)"}"#
        )
        let factor = try #require(pending.json.objects("mfaInfo").first).text("mfaEnrollmentId")
        let signIn = try server.secondFactors(
            "mfaSignIn:start",
            #"{"mfaPendingCredential":"\#(pending["mfaPendingCredential"] ?? "")","mfaEnrollmentId":"\#(factor)","#
                + #""phoneSignInInfo":{"recaptchaToken":"t","channel":"voice"}}"#
        )
        #expect(signIn.status == 200, "\(signIn.text)")
        #expect(eventually { deployment.calls.requests.count == 2 })
        #expect(deployment.messages.first.requests.isEmpty)
    }

    @Test("a channel that the region's route does not have is refused with a reason, and an unknown one, too")
    func unavailable() async throws {
        let deployment = try await CallingDeployment()
        let refused = try deployment.send("+33140000000", "voice")
        #expect(refused.errorMessage == "OPERATION_NOT_ALLOWED : No code can be sent to this number by voice.")
        let unknown = try deployment.send("+16505551704", "fax")
        #expect(
            unknown.errorMessage
                == "INVALID_ARGUMENT : The channel must be one of sms, whatsapp, voice, telegram."
        )
        #expect(deployment.messages.queued == 0)
    }

    @Test("a WhatsApp message is the template in the user's language, and its webhooks are receipts")
    func whatsApp() async throws {
        let deployment = try await CallingDeployment()
        let server = deployment.messages.server
        deployment.calls.always(.answer(200, #"{"messages":[{"id":"wamid.1"}]}"#))
        let answer = try server.sendVerificationCode("+442079461705")
        #expect(eventually { deployment.messages.queued == 0 && !deployment.calls.requests.isEmpty })
        let sent = try #require(deployment.calls.requests.first)
        #expect(sent.path == "/106540352242922/messages" && sent.text.contains(#""language":{"code":"en_US"}"#))
        #expect(sent.text.contains(try server.code(of: try #require(answer["sessionInfo"]))))

        let client = HTTPClient(port: server.port)
        let path = "/dialtone/v1/receipts/chat"
        let challenge = try client.request(
            "GET",
            "\(path)?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=x"
        )
        #expect(challenge.status == 200 && challenge.text == "1158201444")
        let id = sent.object.text("biz_opaque_callback_data")
        let body =
            #"{"entry":[{"changes":[{"value":{"statuses":[{"status":"delivered","#
            + #""biz_opaque_callback_data":"\#(id)"}]}}]}]}"#
        let signature = HMAC.authenticationCode(
            .sha256,
            for: Array(body.utf8),
            key: Array(MessageDeployment.secret.utf8)
        )
        let headers = [("Content-Type", "application/json")]
        #expect(try client.request("POST", path, headers: headers, body: Array(body.utf8)).status == 403)
        let signed = headers + [("X-Hub-Signature-256", "sha256=" + Hexadecimal.encode(signature))]
        #expect(try client.request("POST", path, headers: signed, body: Array(body.utf8)).status == 204)
        let reference = try #require(answer.headers["dialtone-reference"])
        let explained = try server.dialtone("explain", reference).output
        #expect(explained.contains("message    to chat (whatsapp)") && explained.contains("reports it as delivered"))
    }
}
