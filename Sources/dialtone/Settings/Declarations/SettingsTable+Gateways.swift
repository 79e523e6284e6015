import Encodings
import PhoneAuth
import PhoneNumbers
import SMSGateways

extension SettingsTable {
    static var gatewayNames: [Setting<DeploymentValues>] {
        [
            Setting(
                "GATEWAYS",
                \.gateways,
                .names(of: "a name of 1 to 32 lowercase letters, digits and dashes, beginning with a letter") {
                    GatewayName($0)
                },
                example: "main,second,own,any,trial,chat,call"
            ) {
                """
                A comma-separated list of your names for the gateways that send text messages. A name has 1 to 32
                lowercase letters, digits and dashes, and begins with a letter. The names of a gateway's settings
                contain its name, in capitals and with "_" instead of "-". Without a gateway, messages stay in the
                outbox.
                """
            },
            Setting(
                "GATEWAY_ROUTES",
                \.gatewayRoutes,
                .text,
                unset: "all gateways for all numbers, in their order",
                example: "+1876=second; BR=second,main; *=main,second,own"
            ) {
                """
                Which gateways send to which numbers, in the order in which they are tried: for a prefix, a region, or
                all other numbers (*). The longest prefix has precedence, then the region.
                """
            },
            Setting(
                "RESEND_CHANNELS",
                \.resendChannels,
                .channels,
                unset: "the same as for the first message",
                example: "US=whatsapp; *=sms"
            ) {
                """
                The channel of the gateways that go first when a user requests the same code again, by prefix, region
                and for all other numbers (*): sms, whatsapp, voice or telegram. It applies to numbers whose route has
                such a gateway. A channel that the user requests takes precedence.
                """
            },
            Setting("ROUTE_EXPLORATION", \.routeExploration, .number(0...50), example: "10") {
                """
                The percentage of messages that go first to another gateway of the same channel than to the best one.
                With it, the gateway with the better share of verified codes in a region goes first. With 0, the order
                of the route decides. If a region has a spend cap, a gateway that costs more than the route's first one
                never goes first.
                """
            },
            Setting(
                "MAIL_GATEWAYS",
                \.mailGateways,
                .names(of: "a name of 1 to 32 lowercase letters, digits and dashes, beginning with a letter") {
                    GatewayName($0)
                },
                example: "relay,own-mail"
            ) {
                """
                A comma-separated list of your names for the gateways that send mails, in the order in which they are
                tried. They have the same settings as gateways for text messages, but no name in common. Without one,
                no links are sent: accounts:sendOobCode responds with OPERATION_NOT_ALLOWED.
                """
            },
            Setting(
                "MAIL_FROM",
                \.mailSender,
                .emailAddress,
                unset: "none",
                example: "no-reply@example.com"
            ) {
                "The address that mails are from. Required for mail gateways, unless each project has its own."
            },
        ]
    }

    static var gateways: [Setting<GatewayValues>] {
        [
            Setting(
                "KIND",
                \.kind,
                .choice(),
                unset: .required,
                example: [
                    "main": "twilio", "second": "vonage", "own": "webhook", "trial": "file", "any": "http",
                    "chat": "whatsapp", "call": "vonage-voice", "relay": "smtp", "own-mail": "webhook",
                ]
            ) {
                """
                The kind of gateway. webhook sends a signed POST request to your server. file writes codes and links to
                a file, for testing. http calls any provider as the settings describe. twilio-voice and vonage-voice
                call and say the code twice in the user's language. whatsapp sends through Meta's Cloud API, telegram
                through Telegram's Gateway API. smtp is for mails only; smtp, webhook and file send mails. The other
                kinds are providers of text messages.
                """
            },
            Setting(
                "ACCOUNT",
                \.account,
                .text,
                unset: "none",
                example: [
                    "main": "AC0123456789abcdef0123456789abcdef", "second": "key", "chat": "106540352242922",
                    "call": "78d335fa-323d-0114-9c3d-d6f0d48968cf", "relay": "dialtone",
                ]
            ) {
                """
                Twilio's account SID or Vonage's API key, required for these kinds; or the user name for an SMTP server.
                Other providers: the user name or the id of the key; for bird the workspace, for sinch the service plan,
                for whatsapp the id of your phone number, for vonage-voice the id of the application.
                """
            },
            Setting(
                "KEY_ID",
                \.keyID,
                .text,
                unset: "none (the secret is the auth token)",
                example: ["main": "SK0123456789abcdef0123456789abcdef"]
            ) {
                "The SID of a Twilio API key."
            },
            Setting(
                "KEY_FILE",
                \.keyFile,
                .text,
                unset: "none",
                example: ["call": "/etc/dialtone/vonage.pem"]
            ) {
                "A PEM file with the private key of a Vonage application. Required for vonage-voice."
            },
            Setting(
                "SECRET",
                \.secret,
                .secret,
                unset: "none",
                isSecret: true,
                example: [
                    "main": "secret", "second": "secret", "own": "0123456789abcdef0123456789abcdef", "chat": "secret",
                    "relay": "secret", "own-mail": "0123456789abcdef0123456789abcdef", "any": "secret",
                ]
            ) {
                """
                Twilio's auth token or the secret of its API key, Vonage's API secret, or the key of a webhook's
                signatures, at least 32 characters (openssl rand -hex 32 creates one). Required for these kinds. For an
                SMTP server, the password of the user. For whatsapp, the access token of a system user.
                """
            },
            Setting(
                "PREVIOUS_SECRET",
                \.previousSecret,
                .secret,
                unset: "none",
                isSecret: true,
                example: ["own": "fedcba9876543210fedcba9876543210"]
            ) {
                """
                The key of a webhook's signatures before its secret was replaced. While it is set, requests are signed
                with both keys, and receipts may be signed with either.
                """
            },
            Setting(
                "SENDER",
                \.sender,
                .text,
                unset: "none",
                example: [
                    "main": "MG0123456789abcdef0123456789abcdef", "second": "Example", "own": "Example",
                    "any": "Example", "call": "16505550100",
                ]
            ) {
                """
                The sender: a number, a name, or the SID of a Twilio messaging service. Required for most
                providers. A webhook receives it as "from". For bird, the id of the channel. For vonage-voice, a number
                without +.
                """
            },
            Setting(
                "LANGUAGES",
                \.languages,
                .list(of: "a language of a template, such as en_US") { language in
                    let isLanguage = language.utf8.allSatisfy {
                        $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_")
                    }
                    return isLanguage && (2...8).contains(language.utf8.count) ? language : nil
                },
                example: ["chat": "en_US,de,pt_BR"]
            ) {
                "The languages of the template. The first one is for users of all others."
            },
            Setting(
                "URL",
                \.url,
                .text,
                unset: "the provider's server",
                isSecret: true,
                example: [
                    "main": "https://api.twilio.com", "own": "https://sms.example.com/messages",
                    "any": "https://api.example.com/v1/sms",
                    "relay": "smtp://mail.example.com:587", "own-mail": "https://mail.example.com/mails",
                ]
            ) {
                """
                The https URL of the gateway. Required for a webhook and for http; without the path for azure, infobip
                and sns, whose servers differ by account or region. Required for SMTP: smtp://host:587 for STARTTLS,
                or smtps://host:465. Only a server at a loopback address, such as smtp://127.0.0.1:25, is used without
                TLS. The name for EHLO may follow as the path; by default it is this machine's name.
                """
            },
            Setting("FILE", \.file, .text, unset: "none", example: ["trial": "/var/lib/dialtone/messages"]) {
                "The file that codes or links are written to. Required for the kind file."
            },
            Setting(
                "RECEIPT_SECONDS",
                \.receiptTime,
                .seconds(5...300),
                unset: "no receipts",
                example: ["main": "30", "second": "30", "any": "30"]
            ) {
                """
                How long to wait for a delivery receipt from the gateway. After that, the message is also sent through
                the next gateway.
                """
            },
            Setting(
                "RECEIPT_SECRET",
                \.receiptSecret,
                .secret,
                unset: "the secret; none for Vonage and for receipts with an id",
                isSecret: true,
                example: ["main": "auth-token", "second": "signature-secret", "any": "0123456789abcdef"]
            ) {
                """
                The secret that authenticates receipts. Twilio: the auth token, which is required if the secret is an
                API key's. Vonage: the signature secret (SHA-256 HMAC) or a token, which is required for receipts. A
                webhook signs receipts with its own key. For whatsapp the app's secret, required for receipts: register
                the URL of the receipts as the app's webhook, with any verify token. bird, clicksend and gatewayapi: the
                token in the URL to enter in their consoles: the gateway's receipt URL, then ?token= and the secret.
                Other providers and http: the key of an HMAC in each message's receipt URL. Required for vonage-voice.
                """
            },
            Setting("RECEIPT_PROOF", \.receiptProof, .choice(), example: ["second": "signature"]) {
                """
                How Vonage's receipts are authenticated: by their signature, or by a token in their URL if Vonage's
                support has not enabled signatures.
                """
            },
        ]
    }

    static var receipts: [Setting<DeploymentValues>] {
        [
            Setting(
                "RECEIPT_URL",
                \.receiptURL,
                .text,
                unset: "none",
                example: "https://auth.example.com"
            ) {
                """
                The URL at which gateways reach this deployment. They send receipts to /dialtone/v1/receipts/<gateway>
                at this URL. Required if a gateway sends receipts.
                """
            },
            Setting(
                "GATEWAY_TRUST_FILE",
                \.gatewayTrustFile,
                .text,
                unset: "the system's certificates",
                example: "/etc/dialtone/gateway-ca.pem"
            ) {
                "A PEM file with the CA certificates to trust for gateways."
            },
        ]
    }

    static var gatewayPrices: [Setting<GatewayValues>] {
        [
            Setting(
                "PRICES",
                \.prices,
                .prices,
                unset: "unknown",
                example: [
                    "main": "*=0.05; US=0.0079; +1876=0.24", "second": "*=0.06; US=0.008; BR=0.04", "own": "*=0.01",
                    "any": "*=0.02", "trial": "*=0", "chat": "*=0.02", "call": "*=0.02",
                ]
            ) {
                """
                The price of an SMS segment through a gateway, by prefix, by region and for all other numbers (*), in
                one currency, with at most six decimal places. A message costs the price of each of its segments. Spend
                caps require the prices of all gateways.
                """
            }
        ]
    }

    static var tollFraud: [Setting<DeploymentValues>] {
        [
            Setting("SMS_SPEND_CAPS", \.spendCaps, .prices, unset: "none", example: "*=20; US=200") {
                """
                The most that each project may spend on a region in a day (UTC), and on each other region (*). From 80 %
                of a cap, new clients must solve the hard challenge. At the cap, no messages are sent to the region.
                """
            },
            Setting("SMS_BREAKER", \.policy.tollFraud.mode, .choice(["on": .enforce, "record": .record])) {
                """
                Whether new clients must solve a challenge if too few codes are verified, and messages stop at a cap.
                With record, decisions are only recorded: dialtone explain
                """
            },
            Setting("SMS_LEAST_VERIFIED_PERCENT", \.policy.tollFraud.leastVerifiedPercent, .number(1...95)) {
                "The minimum percentage of messages that must lead to a verified code in the long run."
            },
            Setting("SMS_UNVERIFIED_ALLOWANCE", \.policy.tollFraud.unverifiedAllowance, .number(2...1_000_000)) {
                """
                How many more messages to ten thousand neighboring numbers may remain unverified. A million neighboring
                numbers have 2.5 times as many, and a region has ten times as many.
                """
            },
        ]
    }
}

extension SettingKind<NumberTable<Money>> {
    private struct MoneyFault: Error, CustomStringConvertible {
        let text: Substring

        var description: String { "\(text) is not an amount such as 0.0079" }
    }

    /// Prices by prefix, by region and for all other numbers.
    fileprivate static var prices: Self {
        table { text throws(MoneyFault) in
            guard let money = Money(text) else { throw MoneyFault(text: text) }
            return money
        }
    }
}

extension SettingKind<NumberTable<MessageChannel>> {
    private struct ChannelFault: Error, CustomStringConvertible {
        let text: Substring

        var description: String {
            "\"\(text)\": not one of \(MessageChannel.allCases.map(\.rawValue).joined(separator: ", "))"
        }
    }

    /// Channels by prefix, by region and for all other numbers.
    fileprivate static var channels: Self {
        table { text throws(ChannelFault) in
            guard let channel = MessageChannel(rawValue: String(text)) else { throw ChannelFault(text: text) }
            return channel
        }
    }
}

extension SettingKind {
    /// Values by prefix, by region and for all other numbers. There is no default to show.
    private static func table<Row: Sendable, Fault: Error & CustomStringConvertible>(
        _ read: @escaping @Sendable (Substring) throws(Fault) -> Row
    ) -> Self where Value == NumberTable<Row> {
        SettingKind(
            parse: { text throws(SettingFault) in
                do {
                    return try NumberTable(parsing: text) { text, _ throws(Fault) in try read(text) }
                } catch {
                    throw .because("\(error)")
                }
            },
            show: { _ in "" }
        )
    }
}

extension SettingKind<GatewaySecret> {
    /// A secret. There is no default to show.
    fileprivate static var secret: Self {
        SettingKind(
            parse: { text throws(SettingFault) in
                do {
                    return try GatewaySecret(text)
                } catch {
                    throw .because("\(error)")
                }
            },
            show: { _ in "" }
        )
    }
}

extension SettingKind<EmailAddress> {
    /// An e-mail address. There is no default to show.
    static var emailAddress: Self { SettingKind(form: "an e-mail address", parse: { EmailAddress($0) }, show: \.text) }
}
