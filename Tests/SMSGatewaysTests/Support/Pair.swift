import GatewayStandIn
import APNsStandIn
import OutgoingHTTP
import SMSGateways
import Testing

/// A mock gateway, and a client that trusts it.
struct Pair: Sendable {
    let server: GatewayServer
    let client: GatewayHTTPClient

    /// Runs `body` with a new server and a new client, and stops them afterwards.
    static func run(
        isPlain: Bool = false,
        configuring change: (inout GatewayHTTPConfiguration) -> Void = { _ in },
        _ body: (Pair) async throws -> Void
    ) async throws {
        let server = try await GatewayServer.start(isPlain: isPlain)
        var configuration = GatewayHTTPConfiguration()
        configuration.trustRoots = .certificates(pem: server.authority.certificatePEM)
        // A generous deadline. Tests of deadlines set a shorter one.
        configuration.deadline = .seconds(60)
        configuration.connectDeadline = .seconds(60)
        change(&configuration)
        let pair = Pair(server: server, client: try GatewayHTTPClient(configuration, now: { Example.now }))
        do {
            try await body(pair)
        } catch {
            await pair.stop()
            throw error
        }
        await pair.stop()
    }

    func twilio(sender: TwilioSender? = nil, receipts: GatewayURL? = nil) throws -> TwilioGateway {
        TwilioGateway(
            name: try Example.name(),
            account: try TwilioAccount(
                accountSID: Example.accountSID,
                authToken: try GatewaySecret(Example.secret)
            ),
            sender: try sender ?? TwilioSender.from("+16505550100"),
            receipts: receipts,
            server: try GatewayURL(server.url),
            client: client
        )
    }

    func vonage(
        sender: String = "Example",
        receipts: (address: GatewayURL, proof: VonageReceiptProof)? = nil
    ) throws -> VonageGateway {
        try VonageGateway(
            name: try Example.name(),
            account: try VonageAccount(key: "abcd1234", secret: try GatewaySecret(Example.secret), sender: sender),
            receipts: receipts,
            server: try GatewayURL(server.url),
            client: client
        )
    }

    func webhook(
        previousKey: WebhookKey? = nil,
        sender: String? = nil,
        receipts: GatewayURL? = nil
    ) throws -> WebhookGateway<OutgoingMessage> {
        WebhookGateway<OutgoingMessage>(
            name: try Example.name(),
            address: try GatewayURL.allowingLoopback("\(server.url)/send?by=dialtone"),
            key: try Example.webhookKey(),
            previousKey: previousKey,
            sender: sender,
            receipts: receipts,
            client: client,
            now: { Example.now }
        )
    }

    /// Returns a gateway's outcome for a message to which the mock reacts this way.
    func outcome(of gateway: any SMSGateway, _ reply: Reply) async throws -> GatewayOutcome {
        server.queue(reply)
        return await gateway.send(try Example.message())
    }

    private func stop() async {
        // In this order, because a client waits for the TLS shutdown of a server whose response it did not read
        // completely.
        await server.stop()
        await client.shutDown()
    }
}
