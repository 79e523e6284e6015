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
        guard sendsMails ? kind.sendsMails : kind != .smtp else {
            throw reader.fault(\.kind, .because("such a gateway sends no \(sendsMails ? "mails" : "text messages")"))
        }
        if sendsMails {
            reader.refuse([\.prices, \.receiptTime, \.sender], "has no effect for mails; remove it")
        }
        do {
            let (way, verifier) = try self.kind(kind, reader)
            return GatewaySettings.Gateway(
                name: name,
                kind: way,
                channel: kind.channel,
                prices: reader.prices,
                receipts: try receipts(name, kind, reader, verifier)
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
        }
    }

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

    /// Returns the gateway's kind and its receipt verifier; the verifier is nil if no receipts are wanted.
    private func kind(
        _ kind: GatewayValues.Kind,
        _ reader: SettingsReader<GatewayValues>
    ) throws -> (GatewaySettings.Kind, (any ReceiptVerifier)?) {
        reader.refuse(
            GatewayValues.Kind.allCases.flatMap(\.settings).filter { !kind.settings.contains($0) },
            "has no effect because \(reader.name(of: \.kind)) is \(kind.rawValue); remove it"
        )
        switch kind {
        case .webhook:
            let key = try WebhookKey(try reader.required(\.secret))
            let previousKey = try previousKey(reader)
            let address = try GatewayURL(try reader.required(\.url))
            return (
                .webhook(address: address, key, previousKey: previousKey, sender: reader.sender),
                WebhookReceiptVerifier(key: key, previousKey: previousKey)
            )
        case .smtp:
            let login = try reader.account.map { ($0, try reader.required(\.secret).text) }
            return (.smtp(try SMTPServer(try reader.required(\.url), login: login)), nil)
        case .file: return (.file(path: try reader.required(\.file)), nil)
        case .http: return try http(try httpTemplate(reader), server: nil, reader)
        default:
            // A messaging service of Twilio has a SID, which is longer than a number or a name.
            let isService = kind == .twilio && reader.sender?.utf8.count == 34
            guard let template = isService ? .twilioService : kind.recipe else {
                throw reader.missing(\.kind, "required")
            }
            let server = try template.needsServer ? reader.required(\.url) : reader.url
            for (property, fault, isValid) in kind.forms {
                if let text = reader[dynamicMember: property], !isValid(text) { throw reader.fault(property, fault) }
            }
            return try http(template, server: try server.map { try GatewayURL($0) }, reader)
        }
    }

    private func http(
        _ template: HTTPGatewayTemplate,
        server: GatewayURL?,
        _ reader: SettingsReader<GatewayValues>
    ) throws -> (GatewaySettings.Kind, (any ReceiptVerifier)?) {
        var account = HTTPGatewayConfiguration.Account()
        if template.needs(.account) { account.name = try reader.required(\.account) }
        if template.needs(.secret) { account.secret = try reader.required(\.secret) }
        if template.needs(.sender) { account.sender = try reader.required(\.sender) }
        if template.needs(.template) { account.template = try reader.required(\.template) }
        if template.needs(.key) { account.key = try key(reader) }
        account.keyID = reader.keyID
        account.languages = reader.languages
        let configuration = try HTTPGatewayConfiguration(template, server: server, account: account)
        guard reader.receiptTime != nil, template.receiptProofs != (false, false) else {
            return (.http(configuration), nil)
        }
        // The secret of an API key authenticates no receipts.
        let secret = template.sharesSecret && reader.keyID == nil ? reader.secret : nil
        guard let secret = reader.receiptSecret ?? secret else {
            throw reader.missing(\.receiptSecret, "required for receipts")
        }
        return (.http(configuration), template.verifier(secret: secret, isSigned: reader.receiptProof == .signature))
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
        var template = HTTPGatewayTemplate(url: try reader.required(\.url))
        template.method = reader.method
        template.headers = reader.headers ?? ""
        if reader.method == .get {
            reader.refuse([\.body, \.content], "has no effect because \(reader.name(of: \.method)) is get; remove it")
        } else {
            template.content = reader.content
            template.body = try reader.required(\.body)
        }
        template.authentication = reader.authentication ?? .none
        template.answerID = reader.answerID
        template.answerError = reader.answerError
        template.errors = reader.errors ?? ""
        try reader.check(\.receiptTime)
        if reader.receiptTime != nil {
            template.receipts = HTTPGatewayTemplate.Receipts(
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
            if template.uses("receiptURL") { throw reader.missing(\.receiptTime, "required for {receiptURL}") }
        }
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

    /// Returns the receipt settings. A gateway sends receipts if the settings specify how long to wait for them.
    private func receipts(
        _ name: GatewayName,
        _ kind: GatewayValues.Kind,
        _ reader: SettingsReader<GatewayValues>,
        _ verifier: (any ReceiptVerifier)?
    ) throws(FaultySetting) -> GatewaySettings.Receipts? {
        try reader.check(\.receiptTime)
        guard let verifier, let time = reader.receiptTime else {
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
            guard !base.contains("?") else { throw .malformedURL }
            address = try GatewayURL(base + "/dialtone/v1/receipts/\(name)")
        } catch {
            throw deployment.fault(\.receiptURL, .because("\(error)"))
        }
        // The URL is the same for all messages.
        let length = MessageID(name.text).map { verifier.url(address, for: $0).utf8.count } ?? 0
        guard kind != .vonage || length <= 100 else {
            let setting = deployment.name(of: \.receiptURL)
            let reason = "the receipt URL of gateway \(name) has \(length) bytes; Vonage accepts 100"
            throw FaultySetting(name: setting, line: "\(setting): \(reason)")
        }
        return GatewaySettings.Receipts(source: (address, verifier), time: time)
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
        case webhook(address: GatewayURL, WebhookKey, previousKey: WebhookKey?, sender: String?)
        case http(HTTPGatewayConfiguration)
        case smtp(SMTPServer)
        case file(path: String)
    }

    struct Receipts {
        let source: ReceiptSource
        /// The time to wait for a receipt.
        let time: Duration
    }

    let gateways: [Gateway]
    /// Nil if there are no gateways.
    let routes: GatewayRoutes?
    /// The gateways for mails, in order.
    let mailGateways: [Gateway]
    /// A PEM file of certificates to trust instead of the system's certificate authorities.
    let trustFile: String?

    /// How delivery receipts are verified, by gateway.
    var receiptSources: [String: ReceiptSource] {
        Dictionary(gateways.map { ($0.name.text, $0.receipts?.source) }) { first, _ in first }.compactMapValues(\.self)
    }
}
