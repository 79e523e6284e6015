import Cryptography
import Encodings
import IdentityToolkit
import OutgoingHTTP
import PhoneAuth
import PhoneNumbers
import SMSGateways

extension ReadSettings {
    /// Returns the gateways, without those that have faults, and the routes of text messages.
    func gatewaySettings() -> GatewaySettings {
        func read(
            _ names: [GatewayName],
            _ readers: [SettingsReader<GatewayValues>],
            sendingMails isMail: Bool
        ) -> [GatewaySettings.Gateway] {
            var gateways: [GatewaySettings.Gateway] = []
            for (name, reader) in zip(names, readers) {
                if let gateway = faults.collect(try gateway(name, reader, sendsMails: isMail)) {
                    gateways.append(gateway)
                }
            }
            return gateways
        }
        return GatewaySettings(
            gateways: read(deployment.gateways, gateways, sendingMails: false),
            routes: faults.collect(try routes(deployment.gateways)) ?? nil,
            mailGateways: read(deployment.mailGateways, mailGateways, sendingMails: true),
            trustFile: deployment.gatewayTrustFile
        )
    }

    /// Returns which gateways get a message first.
    func routing(_ settings: GatewaySettings) -> RoutingPolicy {
        guard let routes = settings.routes else { return .none }
        let channels = Dictionary(settings.gateways.map { ($0.name.text, $0.channel) }) { first, _ in first }
        for channel in Set(deployment.resendChannels?.values ?? []).subtracting(channels.values) {
            faults.add(
                deployment.fault(\.resendChannels, .because("no gateway has the channel \(channel.rawValue)"))
            )
        }
        return RoutingPolicy(
            routes: routes.byName.map { $0.map { .init(name: $0, channel: channels[$0] ?? .sms) } },
            resendChannels: deployment.resendChannels,
            exploration: deployment.routeExploration
        )
    }

    /// Returns the address that a project's mails are from; nil if the deployment sends no mails.
    func mailSender(of project: ProjectReader) -> EmailAddress? {
        guard !deployment.mailGateways.isEmpty else { return nil }
        return project.project.mailSender ?? faults.collect(try deployment.required(\.mailSender))
    }

    /// Returns the routes. By default all gateways serve every number, in the order in which they are listed.
    private func routes(_ names: [GatewayName]) throws(FaultySetting) -> GatewayRoutes? {
        try deployment.check(\.gateways)
        guard !names.isEmpty else {
            deployment.refuse(
                [\.gatewayRoutes],
                "has no effect because \(deployment.name(of: \.gateways)) is empty"
            )
            return nil
        }
        do {
            let all = "*=" + names.map(\.text).joined(separator: ",")
            return try GatewayRoutes(parsing: deployment.gatewayRoutes ?? all, known: Set(names))
        } catch {
            throw deployment.fault(\.gatewayRoutes, .because("\(error)"))
        }
    }

    private func gateway(
        _ name: GatewayName,
        _ reader: SettingsReader<GatewayValues>,
        sendsMails: Bool
    ) throws(FaultySetting) -> GatewaySettings.Gateway {
        let kind = try reader.required(\.kind)
        let channel = kind.channel
        guard sendsMails ? kind.sendsMails : kind != .smtp else {
            throw reader.fault(\.kind, .because("such a gateway sends no \(sendsMails ? "mails" : "text messages")"))
        }
        if sendsMails {
            reader.refuse([\.prices, \.receiptTime, \.sender], "has no effect for mails; remove it")
        }
        do {
            let (kind, verifier) = try self.kind(kind, reader)
            return GatewaySettings.Gateway(
                name: name,
                kind: kind,
                channel: channel,
                prices: reader.prices,
                receipts: try receipts(name, reader, verifier)
            )
        } catch let error as GatewayConfigurationError {
            throw reader.fault(property(of: error), .because("\(error)"))
        } catch let error as GatewayTemplateError {
            throw reader.fault(property(of: error), .because(error.description))
        } catch is ServiceURLError {
            throw reader.fault(\.url, .isNot("smtp://host:587 or smtps://host:465"))
        } catch let fault as FaultySetting {
            throw fault
        } catch {
            throw reader.fault(\.kind, .because("\(error)"))
        }
    }

    /// Returns the setting that an error is about.
    private func property(of error: GatewayConfigurationError) -> PartialKeyPath<GatewayValues> {
        switch error {
        case .malformedURL, .notHTTPS: \.url
        case .malformedSecret, .weakKey: \.secret
        case .malformedAccount: \.account
        case .malformedKeyID: \.keyID
        case .malformedSender: \.sender
        }
    }

    typealias VerifierMaker = () throws(FaultySetting) -> any ReceiptVerifier

    /// Returns the setting that an error of a template is about.
    private func property(of error: GatewayTemplateError) -> PartialKeyPath<GatewayValues> {
        switch error.part {
        case .url: \.url
        case .headers: \.headers
        case .body: \.body
        case .errors: \.errors
        case .secret: \.secret
        }
    }

    /// Returns the gateway's kind and its receipt verifier; the verifier is nil if the gateway sends no receipts.
    private func kind(
        _ kind: GatewayValues.Kind,
        _ reader: SettingsReader<GatewayValues>
    ) throws -> (GatewaySettings.Kind, VerifierMaker?) {
        reader.refuse(
            GatewayValues.Kind.allCases.flatMap(\.settings).filter { !kind.settings.contains($0) },
            "has no effect because \(reader.name(of: \.kind)) is \(kind.rawValue); remove it"
        )
        switch kind {
        case .twilio:
            let secret = try reader.required(\.secret)
            let sender = try reader.required(\.sender)
            let isService = sender.hasPrefix("MG") && sender.utf8.count == 34
            let kind = GatewaySettings.Kind.twilio(
                try twilioAccount(reader, secret),
                try isService ? .messagingService(sender) : .from(sender),
                server: try reader.url.map { try GatewayURL($0) } ?? .twilio
            )
            return (kind, twilioVerifier(reader, secret))
        case .vonage:
            let account = try VonageAccount(
                key: try reader.required(\.account),
                secret: try reader.required(\.secret),
                sender: try reader.required(\.sender)
            )
            let proof = reader.receiptSecret.map { vonageProof(reader, $0) }
            let server = try reader.url.map { try GatewayURL($0) } ?? .vonage
            return (
                .vonage(account, proof, server: server),
                { () throws(FaultySetting) in
                    VonageReceiptVerifier(proof: vonageProof(reader, try reader.required(\.receiptSecret)))
                }
            )
        case .webhook:
            let key = try WebhookKey(try reader.required(\.secret))
            let previousKey = try previousKey(reader)
            let address = try GatewayURL.allowingLoopback(try reader.required(\.url))
            return (
                .webhook(address: address, key, previousKey: previousKey, sender: reader.sender),
                { WebhookReceiptVerifier(key: key, previousKey: previousKey) }
            )
        case .smtp:
            let login = try reader.account.map { ($0, try reader.required(\.secret).text) }
            return (.smtp(try SMTPServer(try reader.required(\.url), login: login)), nil)
        case .file: return (.file(path: try reader.required(\.file)), nil)
        case .twilioVoice, .whatsApp: return try channelKind(kind, reader)
        case .http: return try http(try httpTemplate(reader), server: nil, reader)
        default: return try recipe(kind, reader)
        }
    }

    private func recipe(
        _ kind: GatewayValues.Kind,
        _ reader: SettingsReader<GatewayValues>
    ) throws -> (GatewaySettings.Kind, VerifierMaker?) {
        guard let template = kind.recipe else { throw reader.missing(\.kind, "required") }
        if kind == .vonageVoice, let sender = reader.sender, !sender.isASCIIDigits {
            throw reader.fault(\.sender, .isNot("the digits of a phone number"))
        }
        let server = try template.needsServer ? reader.required(\.url) : reader.url
        return try http(template, server: try server.map { try GatewayURL.allowingLoopback($0) }, reader)
    }

    private func http(
        _ template: HTTPGatewayTemplate,
        server: GatewayURL?,
        _ reader: SettingsReader<GatewayValues>
    ) throws -> (GatewaySettings.Kind, VerifierMaker?) {
        let configuration = try HTTPGatewayConfiguration(
            template,
            server: server,
            account: HTTPGatewayConfiguration.Account(
                name: template.needs(.account) ? try reader.required(\.account) : nil,
                secret: template.needs(.secret) ? try reader.required(\.secret) : nil,
                sender: template.needs(.sender) ? try reader.required(\.sender) : nil,
                template: template.needs(.template) ? try reader.required(\.template) : nil,
                key: template.needs(.key) ? try key(reader) : nil
            )
        )
        guard let receipts = template.receipts else { return (.http(configuration, nil), nil) }
        // With an id in the receipt, the URL contains the secret, which must not be the one for requests.
        let secret = reader.receiptSecret ?? (receipts.id == nil ? reader.secret : nil)
        return (
            .http(configuration, secret.map { HTTPReceiptVerifier(receipts, secret: $0) }),
            { () throws(FaultySetting) in
                guard let secret else { throw reader.missing(\.receiptSecret, "required for receipts") }
                return HTTPReceiptVerifier(receipts, secret: secret)
            }
        )
    }

    private func key(_ reader: SettingsReader<GatewayValues>) throws(FaultySetting) -> RSAPrivateKey {
        let pem = String(decoding: try reader.file(try reader.required(\.keyFile), \.keyFile), as: UTF8.self)
        guard let key = RSAPrivateKey(pem: pem) else {
            throw reader.fault(\.keyFile, .isNot("an unencrypted PEM file of an RSA key"))
        }
        return key
    }

    /// Returns the template that the settings of a gateway of the kind `http` describe.
    private func httpTemplate(_ reader: SettingsReader<GatewayValues>) throws(FaultySetting) -> HTTPGatewayTemplate {
        var body: (HTTPGatewayTemplate.Content, String)?
        if reader.method == .get {
            reader.refuse([\.body, \.content], "has no effect because \(reader.name(of: \.method)) is get; remove it")
        } else {
            body = (reader.content, try reader.required(\.body))
        }
        var receipts: HTTPGatewayTemplate.Receipts?
        if reader.receiptTime != nil {
            receipts = HTTPGatewayTemplate.Receipts(
                state: try reader.required(\.receiptState),
                delivered: try reader.required(\.receiptDelivered),
                undelivered: reader.receiptUndelivered ?? "",
                error: reader.receiptError,
                id: reader.receiptID
            )
        } else {
            reader.refuse(
                [\.receiptState, \.receiptDelivered, \.receiptUndelivered, \.receiptError, \.receiptID],
                "has no effect because \(reader.name(of: \.receiptTime)) is not set; set it, or remove this"
            )
        }
        let template = HTTPGatewayTemplate(
            url: try reader.required(\.url),
            method: reader.method,
            headers: reader.headers,
            body: body,
            authentication: reader.authentication ?? .none,
            answer: (reader.answerID, reader.answerError, reader.errors),
            receipts: receipts
        )
        reader.refuse(
            HTTPGatewayTemplate.Need.allCases.filter { !template.needs($0) }.map(GatewayValues.property(for:)),
            "has no effect because no placeholder or authentication uses it; remove it"
        )
        return template
    }

    private func previousKey(_ reader: SettingsReader<GatewayValues>) throws(FaultySetting) -> WebhookKey? {
        guard let secret = reader.previousSecret else { return nil }
        do {
            return try WebhookKey(secret)
        } catch {
            throw reader.fault(\.previousSecret, .because("\(error)"))
        }
    }

    func twilioVerifier(_ reader: SettingsReader<GatewayValues>, _ secret: GatewaySecret) -> VerifierMaker {
        { () throws(FaultySetting) in
            // Twilio signs receipts with the auth token, never with an API key's secret.
            let isToken = reader.keyID == nil
            return TwilioReceiptVerifier(
                authToken: try isToken ? reader.receiptSecret ?? secret : reader.required(\.receiptSecret)
            )
        }
    }

    func twilioAccount(
        _ reader: SettingsReader<GatewayValues>,
        _ secret: GatewaySecret
    ) throws -> TwilioAccount {
        let account = try reader.required(\.account)
        guard let keyID = reader.keyID else { return try TwilioAccount(accountSID: account, authToken: secret) }
        return try TwilioAccount(accountSID: account, keySID: keyID, secret: secret)
    }

    private func vonageProof(_ reader: SettingsReader<GatewayValues>, _ secret: GatewaySecret) -> VonageReceiptProof {
        switch reader.receiptProof {
        case .signature: .signature(secret)
        case .token: .token(secret)
        }
    }

    /// Returns the receipt settings. A gateway sends receipts if the settings specify how long to wait for them.
    private func receipts(
        _ name: GatewayName,
        _ reader: SettingsReader<GatewayValues>,
        _ verifier: VerifierMaker?
    ) throws(FaultySetting) -> GatewaySettings.Receipts? {
        guard let verifier else { return nil }
        try reader.check(\.receiptTime)
        guard let time = reader.receiptTime else {
            let name = reader.name(of: \.receiptTime)
            reader.refuse(
                [\.receiptSecret, \.receiptProof],
                "has no effect because \(name) is not set; set it, or remove this"
            )
            return nil
        }
        let base = try deployment.required(\.receiptURL)
        let address: GatewayURL
        do throws(GatewayConfigurationError) {
            address = try .allowingLoopback(base + "/dialtone/v1/receipts/\(name)")
        } catch {
            throw deployment.fault(\.receiptURL, .because("\(error)"))
        }
        return GatewaySettings.Receipts(address: address, time: time, verifier: try verifier())
    }
}

/// The settings of the gateways for text messages and mails.
struct GatewaySettings {
    /// One gateway.
    struct Gateway {
        let name: GatewayName
        let kind: Kind
        let channel: MessageChannel
        /// The price of a message; nil if not configured.
        let prices: NumberTable<Money>?
        /// Nil if the gateway sends no delivery receipts.
        let receipts: Receipts?
    }

    enum Kind {
        case twilio(TwilioAccount, TwilioSender, server: GatewayURL)
        case vonage(VonageAccount, VonageReceiptProof?, server: GatewayURL)
        case webhook(address: GatewayURL, WebhookKey, previousKey: WebhookKey?, sender: String?)
        /// The verifier is nil if there is no secret for receipts.
        case http(HTTPGatewayConfiguration, HTTPReceiptVerifier?)
        case smtp(SMTPServer)
        case file(path: String)
        case twilioVoice(TwilioAccount, caller: String, server: GatewayURL)
        case whatsApp(phoneNumberID: String, token: GatewaySecret, WhatsAppTemplate, server: GatewayURL)
    }

    struct Receipts {
        /// The URL to which the gateway posts receipts.
        let address: GatewayURL
        /// The time to wait for a receipt.
        let time: Duration
        let verifier: any ReceiptVerifier
    }

    let gateways: [Gateway]
    /// Nil if there are no gateways.
    let routes: GatewayRoutes?
    /// The gateways for mails, in order.
    let mailGateways: [Gateway]
    /// A PEM file of certificates to trust instead of the system's certificate authorities.
    let trustFile: String?

    /// The gateways' verifiers of delivery receipts.
    var receiptSources: ReceiptSources {
        ReceiptSources(
            gateways.compactMap { gateway in
                gateway.receipts.map { .init(gateway: gateway.name, address: $0.address, verifier: $0.verifier) }
            }
        )
    }
}
