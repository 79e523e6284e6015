import Delivery
import MailGateways
import OutgoingHTTP
import SMSGateways

extension Settings {
    /// Returns the HTTP clients of the gateways. Each gateway has its own connections, so that a gateway that hangs
    /// cannot take connections from another gateway on the same host.
    /// - Throws: ``Failure`` that names the setting and the file.
    func gatewayClients() throws(Failure) -> [GatewayName: GatewayHTTPClient] {
        var configuration = GatewayHTTPConfiguration()
        configuration.proxy = outgoingProxy
        let trust = TrustFile(\.gatewayTrustFile, gateways.trustFile)
        configuration.trustRoots = try trust.read()
        var clients: [GatewayName: GatewayHTTPClient] = [:]
        do {
            for gateway in gateways.gateways + gateways.mailGateways {
                clients[gateway.name] = try GatewayHTTPClient(configuration)
            }
        } catch {
            throw trust.isNotPEM
        }
        return clients
    }

    /// Returns the gateways and their routes; nil if there are no gateways.
    /// - Throws: ``Failure`` that names the setting.
    func messageRoutes(_ clients: [GatewayName: GatewayHTTPClient]) throws(Failure) -> MessageRoutes? {
        guard let routes = gateways.routes else { return nil }
        let times = gateways.gateways.compactMap { gateway in gateway.receipts.map { (gateway.name, $0.time) } }
        return MessageRoutes(
            gateways: try smsGateways(clients),
            routes: routes,
            receiptTimes: Dictionary(times) { first, _ in first }
        )
    }

    /// Returns the gateways.
    /// - Throws: ``Failure`` that names the setting.
    func smsGateways(_ clients: [GatewayName: GatewayHTTPClient]) throws(Failure) -> [any SMSGateway] {
        var made: [any SMSGateway] = []
        for gateway in gateways.gateways {
            if let client = clients[gateway.name], let gateway = try make(gateway, client) { made.append(gateway) }
        }
        return made
    }

    /// Returns the mail gateways, in order.
    /// - Throws: ``Failure`` that names the setting and the file.
    func mailGateways(_ clients: [GatewayName: GatewayHTTPClient]) throws(Failure) -> [any MailGateway] {
        let trust = TrustFile(\.gatewayTrustFile, gateways.trustFile)
        var made: [any MailGateway] = []
        for gateway in gateways.mailGateways {
            switch gateway.kind {
            case .smtp(let server):
                guard let client = try? SMTPClient(server, trusting: try trust.read()) else { throw trust.isNotPEM }
                made.append(SMTPGateway(name: gateway.name, client: client))
            case .webhook(let address, let key, let previousKey, _):
                guard let client = clients[gateway.name] else { continue }
                made.append(
                    WebhookGateway(
                        name: gateway.name,
                        address: address,
                        key: key,
                        previousKey: previousKey,
                        client: client
                    )
                )
            case .file(let path): made.append(FileGateway(name: gateway.name, path: path))
            case .twilio, .vonage, .twilioVoice, .whatsApp, .http: break
            }
        }
        return made
    }

    private func make(
        _ gateway: GatewaySettings.Gateway,
        _ client: GatewayHTTPClient
    ) throws(Failure) -> (any SMSGateway)? {
        let receipts = gateway.receipts?.address
        switch gateway.kind {
        case .twilio(let account, let sender, let server):
            return TwilioGateway(
                name: gateway.name,
                account: account,
                sender: sender,
                receipts: receipts,
                server: server,
                client: client
            )
        case .vonage(let account, let proof, let server):
            do {
                return try VonageGateway(
                    name: gateway.name,
                    account: account,
                    receipts: receipts.flatMap { address in proof.map { (address, $0) } },
                    server: server,
                    client: client
                )
            } catch {
                throw Failure(
                    "\(DeploymentValues.name(of: \.receiptURL)): the receipt URL of gateway \(gateway.name) has "
                        + "\(error.byteCount) bytes; Vonage accepts \(error.maximumByteCount)"
                )
            }
        case .webhook(let address, let key, let previousKey, let sender):
            return WebhookGateway<OutgoingMessage>(
                name: gateway.name,
                address: address,
                key: key,
                previousKey: previousKey,
                sender: sender,
                receipts: receipts,
                client: client
            )
        case .file(let path):
            return FileGateway<OutgoingMessage>(name: gateway.name, path: path)
        case .twilioVoice, .whatsApp: return try makeOther(gateway, client)
        case .http(let configuration, let verifier):
            return HTTPGateway(
                name: gateway.name,
                configuration: configuration,
                receipts: receipts.flatMap { address in verifier.map { (address, $0) } },
                client: client
            )
        case .smtp: return nil
        }
    }

    /// Returns a gateway for another channel than text messages.
    private func makeOther(
        _ gateway: GatewaySettings.Gateway,
        _ client: GatewayHTTPClient
    ) throws(Failure) -> (any SMSGateway)? {
        do throws(GatewayConfigurationError) {
            switch gateway.kind {
            case .twilioVoice(let account, let caller, let server):
                return try TwilioVoiceGateway(
                    name: gateway.name,
                    account: account,
                    caller: caller,
                    receipts: gateway.receipts?.address,
                    server: server,
                    client: client
                )
            case .whatsApp(let id, let token, let template, let server):
                return try WhatsAppGateway(
                    name: gateway.name,
                    phoneNumberID: id,
                    token: token,
                    template: template,
                    server: server,
                    client: client
                )
            default: return nil
            }
        } catch {
            throw Failure("gateway \(gateway.name): \(error)")
        }
    }
}
