import Encodings
import GatewayStandIn
import Processes
import TestServers
import Testing

@testable import dialtone

/// Two invented providers, connected by ten settings each, with the real dispatcher and worker.
@Suite(.timeLimit(.minutes(30))) struct HTTPGatewayTests {
    /// JSON, a bearer token, HTTP statuses, receipts in JSON. `KIND`, `URL` and `SECRET` are the other three.
    private static let first = [
        "BODY":
            #"{"recipient":"{to}","content":{"body":"{text}"},"lifetime":"{seconds:number}","hook":"{receiptURL}"}"#,
        "AUTHENTICATION": "bearer", "ANSWER_ID": "result.message", "RECEIPT_SECONDS": "300",
        "RECEIPT_STATE": "event.state", "RECEIPT_DELIVERED": "done", "RECEIPT_UNDELIVERED": "lost",
    ]
    /// A form with the key, codes in successful responses, receipts in the query.
    private static let second = [
        "CONTENT": "form", "BODY": "key={secret}&phone={digits}&msg={text}&dlr={receiptURL}",
        "ANSWER_ERROR": "status", "ERRORS": "accepted=0; number invalid=4", "RECEIPT_SECONDS": "300",
        "RECEIPT_STATE": "dlr", "RECEIPT_DELIVERED": "1",
    ]

    private func start() async throws -> MessageDeployment {
        var settings = ["GATEWAY_FIRST_KIND": "http", "GATEWAY_SECOND_KIND": "http"]
        for (name, value) in Self.first { settings["GATEWAY_FIRST_\(name)"] = value }
        for (name, value) in Self.second { settings["GATEWAY_SECOND_\(name)"] = value }
        #expect(Self.first.count + 3 <= 10 && Self.second.count + 3 <= 10)
        let deployment = try await MessageDeployment.start(settings: settings)
        deployment.second.always(.answer(200, "status=0&id=2"))
        try deployment.server.startDispatcher()
        return deployment
    }

    private func path(of receiptURL: String?) throws -> String {
        let url = try #require(receiptURL)
        #expect(url.hasPrefix("https://auth.example.com/dialtone/v1/receipts/"))
        return String(url.dropFirst("https://auth.example.com".count))
    }

    @Test("a code goes to the next provider once the first reports it as lost, and its receipt is accepted")
    func endToEnd() async throws {
        let deployment = try await start()
        deployment.first.always(.answer(202, #"{"result":{"message":"theirs-1"}}"#))
        let session = try deployment.server.openVerification("+16505550951")
        #expect(eventually { !deployment.first.requests.isEmpty && deployment.queued == 0 })
        let request = try #require(deployment.first.requests.first)
        #expect(request.header("authorization") == "Bearer \(MessageDeployment.secret)")
        #expect(request.object.text("recipient") == "+16505550951")
        let text = request.object["content"]?.object?["body"]?.text ?? ""
        let code = try deployment.server.code(of: session)
        #expect(text.contains(code))
        #expect((request.object["lifetime"]?.integer ?? 0) > 0)

        let receipt = try path(of: request.object["hook"]?.text)
        let client = HTTPClient(port: deployment.server.port)
        func report(_ state: String, _ path: String) throws -> Int {
            let body = #"{"event":{"state":"\#(state)"}}"#
            let headers = [("Content-Type", "application/json")]
            return try client.request("POST", path, headers: headers, body: Array(body.utf8)).status
        }
        #expect(try report("lost", String(receipt.dropLast())) == 403)
        #expect(try report("moving", receipt) == 204)
        #expect(deployment.queued == 0 && deployment.second.requests.isEmpty)
        // Another gateway reports the message: it has a valid proof, because the gateways have the same secret.
        let foreign = receipt.replacing("/receipts/first", with: "/receipts/second")
        #expect(try client.request("GET", foreign + "&dlr=1").status == 204)
        #expect(deployment.queued == 0 && deployment.second.requests.isEmpty)
        #expect(try report("lost", receipt) == 204)
        #expect(try report("lost", receipt) == 204)
        #expect(eventually { !deployment.second.requests.isEmpty && deployment.queued == 0 })
        let form = try #require(deployment.second.requests.first).form
        #expect(form["key"] == MessageDeployment.secret && form["phone"] == "16505550951" && form["msg"] == text)
        #expect(try client.request("GET", try path(of: form["dlr"]) + "&dlr=1").status == 204)
        #expect(deployment.second.requests.count == 1)
        #expect(deployment.isShownInOutbox("first: 1 accepted, 1 undelivered", "second: 1 accepted, 1 delivered"))
        #expect(deployment.server.loggedSecrets(of: [code, "6505550951", MessageDeployment.secret]) == [])
    }

    @Test("a provider's own code in a successful response refuses the message, with its meaning")
    func refused() async throws {
        let deployment = try await start()
        deployment.first.always(.answer(422, "{}"))
        deployment.second.always(.answer(200, "status=4&id="))
        _ = try deployment.server.openVerification("+16505550952")
        #expect(deployment.isShownInOutbox("1 undeliverable", "no gateway: 1 dead"))
        #expect(try deployment.server.dialtone("outbox").output.contains("number invalid (4) (first, second)"))
    }
}
