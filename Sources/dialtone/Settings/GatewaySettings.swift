import IdentityToolkit
import PhoneAuth
import PhoneNumbers
import SMSGateways

/// What the settings say of the SMS gateways.
struct GatewaySettings {
    /// One gateway.
    struct Gateway {
        let name: GatewayName
        let kind: Kind
        /// What it asks for a message; nil where that is not said.
        let prices: NumberTable<Money>?
        /// nil where it does not report deliveries.
        let receipts: Receipts?
    }

    enum Kind {
        case twilio(TwilioAccount, TwilioSender, server: GatewayURL)
        case vonage(VonageAccount, VonageReceiptProof?, server: GatewayURL)
        case webhook(address: GatewayURL, WebhookKey)
        case file(path: String)
    }

    struct Receipts {
        /// Where the gateway posts them.
        let address: GatewayURL
        /// How long to wait for one.
        let time: Duration
        let verifier: any ReceiptVerifier
    }

    let gateways: [Gateway]
    /// nil where there are no gateways.
    let routes: GatewayRoutes?
    /// PEM file of the certificates to trust instead of the system's.
    let trustFile: String?

    /// What tells gateways' receipts from others'.
    var receiptSources: ReceiptSources {
        ReceiptSources(
            gateways.compactMap { gateway in
                gateway.receipts.map { .init(gateway: gateway.name, address: $0.address, verifier: $0.verifier) }
            }
        )
    }
}

extension SettingsReader {
    func gateways() throws(Failure) -> GatewaySettings {
        let names = source.list("gateways")
        guard Set(names.map(SettingName.shown)).count == names.count else {
            throw wrong("gateways", "different names")
        }
        for name in source.names where SettingName.isOfGateway(name) {
            guard names.contains(where: { SettingName.isOfGateway(name, $0) }) else {
                throw Failure("\(name): is of a gateway that DIALTONE_GATEWAYS does not name")
            }
        }
        var gateways: [GatewaySettings.Gateway] = []
        for name in names {
            guard let known = GatewayName(name) else {
                throw wrong("gateways", "names of small letters, digits and dashes, a letter first")
            }
            gateways.append(try gateway(known))
        }
        return GatewaySettings(
            gateways: gateways,
            routes: try routes(gateways.map(\.name)),
            trustFile: source.text("gatewayTrustFile")
        )
    }

    /// By default every number has all gateways, in the order in which they are named.
    private func routes(_ names: [GatewayName]) throws(Failure) -> GatewayRoutes? {
        guard !names.isEmpty else {
            guard source.text("gatewayRoutes") == nil else { throw wrong("gatewayRoutes", "nothing without gateways") }
            return nil
        }
        let text = source.text("gatewayRoutes") ?? "*=" + names.map(\.text).joined(separator: ",")
        do {
            return try GatewayRoutes(parsing: text, known: Set(names))
        } catch {
            throw Failure("\(SettingName.shown("gatewayRoutes")): \(error)")
        }
    }

    private func gateway(_ name: GatewayName) throws(Failure) -> GatewaySettings.Gateway {
        let key = "gateway.\(name)."
        let prices = try prices(ofGateway: key)
        do {
            switch try required(key + "kind") {
            case "twilio":
                let secret = try GatewaySecret(try required(key + "secret"))
                let account = try twilioAccount(key, secret)
                let sender = try required(key + "sender")
                let isService = sender.hasPrefix("MG") && sender.utf8.count == 34
                return GatewaySettings.Gateway(
                    name: name,
                    kind: .twilio(
                        account,
                        try isService ? .messagingService(sender) : .from(sender),
                        server: try url(key) ?? .twilio
                    ),
                    prices: prices,
                    receipts: try receipts(name) {
                        let token = try source.text(key + "receiptSecret").map { try GatewaySecret($0) }
                        return TwilioReceiptVerifier(authToken: token ?? secret)
                    }
                )
            case "vonage":
                let account = try VonageAccount(
                    key: try required(key + "account"),
                    secret: try GatewaySecret(try required(key + "secret")),
                    sender: try required(key + "sender")
                )
                let proof = try vonageProof(key)
                return GatewaySettings.Gateway(
                    name: name,
                    kind: .vonage(account, proof, server: try url(key) ?? .vonage),
                    prices: prices,
                    receipts: try receipts(name) { () throws in
                        guard let proof else { throw wrong(key + "receiptSecret", "what receipts are known by") }
                        return VonageReceiptVerifier(proof: proof)
                    }
                )
            case "webhook":
                let webhook = try WebhookKey(try GatewaySecret(try required(key + "secret")))
                return GatewaySettings.Gateway(
                    name: name,
                    kind: .webhook(address: try .allowingLoopback(try required(key + "url")), webhook),
                    prices: prices,
                    receipts: try receipts(name) { WebhookReceiptVerifier(key: webhook) }
                )
            case "file":
                return GatewaySettings.Gateway(
                    name: name,
                    kind: .file(path: try required(key + "file")),
                    prices: prices,
                    receipts: nil
                )
            default: throw wrong(key + "kind", "one of file, twilio, vonage, webhook")
            }
        } catch let error as GatewayConfigurationError {
            throw Failure("\(SettingName.shown("gateway.\(name)")): \(error)")
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure("\(SettingName.shown("gateway.\(name)")): cannot be read")
        }
    }

    private func twilioAccount(_ key: String, _ secret: GatewaySecret) throws -> TwilioAccount {
        let account = try required(key + "account")
        guard let keyID = source.text(key + "keyId") else {
            return try TwilioAccount(accountSID: account, authToken: secret)
        }
        return try TwilioAccount(accountSID: account, keySID: keyID, secret: secret)
    }

    private func vonageProof(_ key: String) throws -> VonageReceiptProof? {
        guard let text = source.text(key + "receiptSecret") else { return nil }
        let secret = try GatewaySecret(text)
        return try choice(
            key + "receiptProof",
            ["signature": .signature(secret), "token": .token(secret)],
            or: .signature(secret)
        )
    }

    private func url(_ key: String) throws -> GatewayURL? {
        try source.text(key + "url").map { try GatewayURL($0) }
    }

    /// A gateway reports deliveries where it says how long to wait for its reports.
    private func receipts(
        _ name: GatewayName,
        _ verifier: () throws -> any ReceiptVerifier
    ) throws -> GatewaySettings.Receipts? {
        let key = "gateway.\(name).receiptSeconds"
        guard source.text(key) != nil else { return nil }
        let base = try required("receiptUrl")
        return GatewaySettings.Receipts(
            address: try .allowingLoopback(base + "/dialtone/v1/receipts/\(name)"),
            time: .seconds(try number(key, in: 5...300, or: 30)),
            verifier: try verifier()
        )
    }
}
