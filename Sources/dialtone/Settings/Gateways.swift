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
    func messageRoutes(_ clients: [GatewayName: GatewayHTTPClient]) -> MessageRoutes? {
        guard let routes = gateways.routes else { return nil }
        let times = gateways.gateways.compactMap { gateway in gateway.receipts.map { (gateway.name, $0.time) } }
        return MessageRoutes(
            gateways: smsGateways(clients),
            routes: routes,
            receiptTimes: Dictionary(times) { first, _ in first }
        )
    }

    /// Returns the gateways.
    func smsGateways(_ clients: [GatewayName: GatewayHTTPClient]) -> [any SMSGateway] {
        gateways.gateways.compactMap { gateway -> (any SMSGateway)? in
            guard let client = clients[gateway.name] else { return nil }
            switch gateway.kind {
            case .webhook(let address, let key, let previousKey, let sender):
                return WebhookGateway<OutgoingMessage>(
                    name: gateway.name,
                    address: address,
                    key: key,
                    previousKey: previousKey,
                    sender: sender,
                    receipts: gateway.receipts?.source.address,
                    client: client
                )
            case .file(let path): return FileGateway<OutgoingMessage>(name: gateway.name, path: path)
            case .http(let configuration):
                return HTTPGateway(
                    name: gateway.name,
                    configuration: configuration,
                    receipts: gateway.receipts?.source,
                    client: client
                )
            case .smtp: return nil
            }
        }
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
            case .http: break
            }
        }
        return made
    }
}
