import Encodings
import GatewayStandIn
import Glibc
import Processes
import SMSGateways
import TestServers
import Testing

/// Delivery of messages, from the request for a code to the gateway that sends it.
@Suite(.timeLimit(.minutes(30))) struct MessageDeliveryTests {
    @Test("a code is sent through the first gateway of the route, in the user's language, and signs in")
    func endToEnd() async throws {
        let deployment = try await MessageDeployment.start()
        let server = deployment.server
        try server.startDispatcher()
        let answer = try server.post(
            "/v1/accounts:sendVerificationCode",
            #"{"phoneNumber":"+16505550801","recaptchaToken":"t"}"#,
            headers: [("X-Firebase-Locale", "pt-BR")]
        )
        let session = try #require(answer["sessionInfo"])
        #expect(eventually { !deployment.first.requests.isEmpty })
        let message = try #require(MessageDeployment.messages(deployment.first).first)
        #expect(message.to == "+16505550801")
        let code = String(message.text.filter { ("0"..."9").contains($0) })
        #expect(code == (try server.code(of: session)))
        #expect(message.text.contains("código"))
        #expect(deployment.first.requests[0].header("dialtone-signature")?.hasPrefix("t=") == true)
        #expect(try server.signIn(session, code).status == 200)
        #expect(deployment.second.requests.isEmpty)
        #expect(eventually { deployment.queued == 0 })
        #expect(server.loggedSecrets(of: [code, "6505550801"]) == [])
        #expect(server.log.contains(#""gateway":"first""#))
    }

    @Test(
        "the WebOTP or SMS Retriever line is at the end if requested, and absent otherwise",
        arguments: [
            ("", "https://demo-dialtone.firebaseapp.com", "\n@demo-dialtone.firebaseapp.com #"),
            (#","autoRetrievalInfo":{"appSignatureHash":"FA+9qCX9VSu"}"#, "", "\nFA+9qCX9VSu"),
            (#","autoRetrievalInfo":{"appSignatureHash":"no hash"}"#, "https://elsewhere.example", nil), ("", "", nil),
        ]
    )
    func endings(fields: String, origin: String, ending: String?) async throws {
        let deployment = try await MessageDeployment.start()
        try deployment.server.startDispatcher()
        let answer = try deployment.server.post(
            "/v1/accounts:sendVerificationCode",
            #"{"phoneNumber":"+16505550881","recaptchaToken":"t"\#(fields)}"#,
            headers: origin.isEmpty ? [] : [("Origin", origin)]
        )
        #expect(answer.status == 200)
        #expect(eventually { !deployment.first.requests.isEmpty })
        let text = try #require(MessageDeployment.messages(deployment.first).first).text
        if let ending { #expect(text.contains(ending)) } else { #expect(!text.contains("\n")) }
    }

    @Test("a gateway that refuses a message is skipped for this message, and a failing gateway for a while")
    func failover() async throws {
        let deployment = try await MessageDeployment.start()
        try deployment.server.startDispatcher()
        deployment.first.queue(.answer(422), .answer(401), .answer(503))
        for index in 1...3 {
            _ = try deployment.server.openVerification("+1650555081\(index)")
            #expect(eventually { deployment.second.requests.count == index })
        }
        #expect(deployment.first.requests.count == 3)
        #expect(eventually { deployment.queued == 0 })
    }

    @Test("the route is selected by the number's prefix before its region")
    func routes() async throws {
        let deployment = try await MessageDeployment.start(routes: "*=first; GB=second; +447=first,second; US=second")
        try deployment.server.startDispatcher()
        _ = try deployment.server.openVerification("+16505550821")
        _ = try deployment.server.openVerification("+442079460821")
        _ = try deployment.server.openVerification("+447700900821")
        #expect(eventually { deployment.queued == 0 })
        #expect(MessageDeployment.messages(deployment.first).map(\.to) == ["+447700900821"])
        #expect(Set(MessageDeployment.messages(deployment.second).map(\.to)) == ["+16505550821", "+442079460821"])
    }

    @Test("a message that no gateway accepts becomes a dead letter with its reason and a masked number")
    func deadLetter() async throws {
        let deployment = try await MessageDeployment.start()
        try deployment.server.startDispatcher()
        for gateway in [deployment.first, deployment.second] { gateway.queue(.answer(422)) }
        _ = try deployment.server.openVerification("+16505550831")
        #expect(deployment.isShownInOutbox("1 undeliverable", "no gateway: 1 dead"))
        let outbox = try deployment.server.dialtone("outbox")
        #expect(outbox.isFine)
        #expect(outbox.output.contains("demo-dialtone +•••••••0831"))
        #expect(outbox.output.contains("(422) (first, second)"))
        #expect(!outbox.output.contains("6505550831"))
    }

    @Test("a dead letter is sent again while its code is valid, or dropped")
    func deadLetterAgain() async throws {
        let deployment = try await MessageDeployment.start()
        let server = deployment.server
        try server.startDispatcher()
        for gateway in [deployment.first, deployment.second] { gateway.queue(.answer(422), .answer(422)) }
        let session = try server.openVerification("+16505550832")
        let used = try server.openVerification("+16505550833")
        #expect(deployment.isShownInOutbox("2 undeliverable"))
        let answer = try server.signIn(used, try server.code(of: used))
        #expect(answer.status == 200, "\(answer.text)")
        let count = deployment.first.requests.count
        #expect(
            try server.dialtone("outbox", "retry", "--all").output
                == "1 queued again\n1 too late: the code or link was used or has expired\n"
        )
        #expect(eventually { deployment.first.requests.count > count })
        #expect(MessageDeployment.messages(deployment.first).last?.to == "+16505550832")
        #expect(deployment.isShownInOutbox("0 waiting or being sent; 1 dispatchers run", "1 undeliverable"))
        #expect(try server.signIn(session, try server.code(of: session)).status == 200)
        #expect(try server.dialtone("outbox", "drop", "--all").output == "1 dropped\n")
        #expect(deployment.isShownInOutbox("0 undeliverable"))
    }

    @Test("outbox says that no gateway is configured, or that no dispatcher runs")
    func noDispatcher() async throws {
        let server = try RunningServer(workers: 1)
        _ = try server.openVerification("+16505550834")
        #expect(try server.dialtone("outbox").output.contains(": no gateway is configured: set DIALTONE_GATEWAYS\n"))
        let deployment = try await MessageDeployment.start()
        _ = try deployment.server.openVerification("+16505550834")
        #expect(
            deployment.isShownInOutbox("1 waiting or being sent; 0 dispatchers run", ": no dispatcher runs: systemctl")
        )
    }

    @Test("a message whose session has ended is dropped")
    func ended() async throws {
        let deployment = try await MessageDeployment.start()
        let session = try deployment.server.openVerification("+16505550841")
        #expect(try deployment.server.signIn(session, try deployment.server.code(of: session)).status == 200)
        try deployment.server.startDispatcher()
        _ = try deployment.server.openVerification("+16505550842")
        #expect(eventually { deployment.queued == 0 })
        #expect(MessageDeployment.messages(deployment.first).map(\.to) == ["+16505550842"])
        #expect(deployment.isShownInOutbox("no gateway: 1 ended"))
    }

    @Test("after a gateway hangs or drops the connection, the call is retried, and the code arrives")
    func uncertain() async throws {
        let deployment = try await MessageDeployment.start(routes: "*=first")
        try deployment.server.startDispatcher()
        deployment.first.queue(.cutAtEnd, .answer(500), .answer(200, "garbage"))
        _ = try deployment.server.openVerification("+16505550851")
        #expect(eventually { deployment.first.requests.count >= 3 && deployment.queued == 0 })
        // The message's id is the same in each attempt, so the gateway can recognize a repeated message.
        let ids = Set(deployment.first.requests.compactMap { $0.header("idempotency-key") })
        #expect(ids.count == 1)
    }

    @Test("without a gateway, messages stay in the outbox, and the dispatcher logs a warning")
    func withoutGateways() async throws {
        let server = try RunningServer(workers: 1)
        try server.startDispatcher()
        _ = try server.openVerification("+16505550861")
        #expect(eventually { server.log.contains("no SMS gateway is configured") })
        #expect(try server.dialtone("outbox").output.hasPrefix("1 waiting or being sent; 1 dispatchers run\n"))
    }

    @Test("the file gateway writes messages to a file that only its owner can read")
    func file() async throws {
        let folder = try TemporaryFolder()
        let server = try RunningServer(
            workers: 1,
            settings: [
                "GATEWAYS": "file", "GATEWAY_FILE_KIND": "file", "GATEWAY_FILE_FILE": folder.path(of: "messages"),
            ]
        )
        try server.startDispatcher()
        let session = try server.openVerification("+16505550871")
        let code = try server.code(of: session)
        #expect(eventually { folder.read("messages").contains(code) })
        var information = stat()
        #expect(stat(folder.path(of: "messages"), &information) == 0 && information.st_mode & 0o777 == 0o600)
    }
}
