import Encodings
import SMSGateways
import Testing

/// The accounts and the message that the tests use.
enum Example {
    static let phoneNumber = "+16505550123"
    static let text = "123456 is your code for “Ex&mple” = 100%+"
    static let keySID = "SK" + String(repeating: "0b", count: 16)
    static let serviceSID = "MG" + String(repeating: "0c", count: 16)
    static let secret = "a-secret/of+the=example"
    static let webhookSecret = "0123456789abcdef0123456789abcdef"
    static let now = Instant(seconds: 1_790_000_000)
    static let receipts = "https://auth.example.com/dialtone/v1/receipts/one"

    static let account = account("user", secret: try? GatewaySecret(secret))

    static func account(
        _ name: String? = nil,
        secret: GatewaySecret? = nil,
        sender: String = "Example"
    ) -> HTTPGatewayConfiguration.Account {
        var account = HTTPGatewayConfiguration.Account()
        account.name = name
        account.secret = secret
        account.sender = sender
        account.template = "login_code"
        account.languages = ["en_US", "de"]
        return account
    }

    static func name(_ text: String = "one") throws -> GatewayName { try #require(GatewayName(text)) }
    static func id(_ text: String = "m-1_A") throws -> MessageID { try #require(MessageID(text)) }
    static func webhookKey(_ text: String = webhookSecret) throws -> WebhookKey {
        try WebhookKey(try GatewaySecret(text))
    }

    static func message(
        needsUnicode: Bool = true,
        validFor: Duration = .seconds(540),
        locale: String = "en"
    ) throws -> OutgoingMessage {
        try #require(
            OutgoingMessage(
                id: try id(),
                phoneNumber: phoneNumber,
                text: text,
                needsUnicode: needsUnicode,
                validFor: validFor,
                code: "123456",
                locale: locale,
                speech: ("1, 2, 3, 4, 5, 6 is your code for “Ex&mple” <1>", "en-US")
            )
        )
    }
}
