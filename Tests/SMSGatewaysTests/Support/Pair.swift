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

    /// Returns a gateway of a provider.
    func gateway(
        _ template: HTTPGatewayTemplate,
        _ account: HTTPGatewayConfiguration.Account = Example.account,
        receipts verifier: (any ReceiptVerifier)? = nil
    ) throws -> HTTPGateway {
        HTTPGateway(
            name: try Example.name(),
            configuration: try HTTPGatewayConfiguration(template, server: try GatewayURL(server.url), account: account),
            receipts: try verifier.map { (try GatewayURL(Example.receipts), $0) },
            client: client,
            now: { Example.now }
        )
    }

    func webhook(
        previousKey: WebhookKey? = nil,
        sender: String? = nil,
        receipts: GatewayURL? = nil
    ) throws -> WebhookGateway<OutgoingMessage> {
        WebhookGateway<OutgoingMessage>(
            name: try Example.name(),
            address: try GatewayURL("\(server.url)/send?by=dialtone"),
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
