import Encodings
import GatewayStandIn
import Processes
import SMSGateways
import TestServers
import Testing

/// Gateways' delivery receipts and their effects.
@Suite(.timeLimit(.minutes(30))) struct DeliveryReceiptTests {
    private func start(_ seconds: Int = 300) async throws -> MessageDeployment {
        let deployment = try await MessageDeployment.start(
            settings: [
                "GATEWAY_FIRST_RECEIPT_SECONDS": "\(seconds)", "GATEWAY_SECOND_RECEIPT_SECONDS": "\(seconds)",
            ]
        )
        try deployment.server.startDispatcher()
        return deployment
    }

    /// Posts a receipt with the documented signature.
    private func report(
        _ state: String,
        of id: String,
        from gateway: String,
        to deployment: MessageDeployment,
        secret: String = MessageDeployment.secret,
        age: Int64 = 0
    ) throws -> HTTPAnswer {
        let body = JSONWriter.object { json in
            json.member("id", id)
            json.member("state", state)
        }
        let time = Instant(seconds: Instant.system().seconds - age)
        let signature = WebhookSignature.value(
            for: body,
            at: time,
            keys: [try WebhookKey(try GatewaySecret(secret))]
        )
        return try HTTPClient(port: deployment.server.port).request(
            "POST",
            "/dialtone/v1/receipts/\(gateway)",
            headers: [("Content-Type", "application/json"), (WebhookSignature.headerName, signature)],
            body: body
        )
    }

    private func sentMessage(_ deployment: MessageDeployment) throws -> (to: String, text: String, id: String) {
        _ = try deployment.server.openVerification("+16505550901")
        #expect(eventually { !deployment.first.requests.isEmpty && deployment.queued == 0 })
        return try #require(MessageDeployment.messages(deployment.first).first)
    }

    @Test(
        "an undelivered message goes to the next gateway once, with the same code, despite repeated receipts"
    )
    func undelivered() async throws {
        let deployment = try await start()
        let message = try sentMessage(deployment)
        for _ in 1...3 {
            #expect(try report("undelivered", of: message.id, from: "first", to: deployment).status == 204)
        }
        #expect(eventually { !deployment.second.requests.isEmpty && deployment.queued == 0 })
        let again = MessageDeployment.messages(deployment.second)
        #expect(again.map(\.text) == [message.text] && again.map(\.to) == [message.to])
        #expect(deployment.first.requests.count == 1)
        #expect(deployment.isShownInOutbox("first: 1 accepted, 1 undelivered", "second: 1 accepted"))
    }

    @Test("a receipt that does not arrive in time counts as missing")
    func missing() async throws {
        let deployment = try await start(5)
        let message = try sentMessage(deployment)
        #expect(eventually { !deployment.second.requests.isEmpty })
        #expect(MessageDeployment.messages(deployment.second).first?.text == message.text)
        // A late receipt is accepted, but sends nothing more.
        #expect(try report("delivered", of: message.id, from: "first", to: deployment).status == 204)
        #expect(deployment.second.requests.count == 1)
    }

    @Test("a delivered message is not sent again, even if the gateway later reports otherwise")
    func delivered() async throws {
        // Even on a loaded machine, the receipt arrives before this timeout.
        let deployment = try await start(20)
        let message = try sentMessage(deployment)
        #expect(try report("delivered", of: message.id, from: "first", to: deployment).status == 204)
        #expect(try report("undelivered", of: message.id, from: "first", to: deployment).status == 204)
        #expect(!eventually(within: .seconds(24)) { !deployment.second.requests.isEmpty })
    }

    @Test("a user who has signed in gets no second message")
    func signedIn() async throws {
        let deployment = try await start()
        let session = try deployment.server.openVerification("+16505550902")
        #expect(eventually { !deployment.first.requests.isEmpty && deployment.queued == 0 })
        let message = try #require(MessageDeployment.messages(deployment.first).first)
        #expect(try deployment.server.signIn(session, try deployment.server.code(of: session)).status == 200)
        #expect(try report("undelivered", of: message.id, from: "first", to: deployment).status == 204)
        #expect(deployment.queued == 0 && deployment.second.requests.isEmpty)
    }

    @Test("forged, replayed, malformed and misdirected receipts change nothing")
    func refused() async throws {
        let deployment = try await start()
        let message = try sentMessage(deployment)
        let forged = try report(
            "undelivered",
            of: message.id,
            from: "first",
            to: deployment,
            secret: String(repeating: "x", count: 32)
        )
        #expect(forged.status == 403)
        #expect(try report("undelivered", of: message.id, from: "first", to: deployment, age: 301).status == 403)
        #expect(try report("undelivered", of: message.id, from: "nobody", to: deployment).status == 404)
        // Correctly signed, but for another gateway's message, or for none.
        #expect(try report("undelivered", of: message.id, from: "second", to: deployment).status == 204)
        for id in ["0-1-1", "99-1-1", "nonsense"] {
            #expect(try report("undelivered", of: id, from: "first", to: deployment).status == 204)
        }
        let unsigned = try HTTPClient(port: deployment.server.port).request(
            "POST",
            "/dialtone/v1/receipts/first",
            headers: [("Content-Type", "application/json")],
            body: Array("{}".utf8)
        )
        #expect(unsigned.status == 403)
        #expect(deployment.queued == 0 && deployment.second.requests.isEmpty)
    }
}
