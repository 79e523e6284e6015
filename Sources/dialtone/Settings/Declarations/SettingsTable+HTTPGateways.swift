import SMSGateways

extension SettingsTable {
    /// The settings that describe a provider's API.
    static var httpGateways: [Setting<GatewayValues>] { httpRequests + httpAnswers + httpReceipts }

    private static var body: SettingExample {
        ["any": #"{"to":"{to}","text":"{text}","from":"{from}","template":"{template}","hook":"{receiptURL}"}"#]
    }

    private static var httpRequests: [Setting<GatewayValues>] {
        [
            Setting(
                "TEMPLATE",
                \.template,
                .text,
                unset: "none",
                example: ["any": "1107000000000000000", "chat": "login_code"]
            ) {
                """
                The id of a text that is registered with the provider, required for aliyun, msg91 and whatsapp.
                Aliyun's has the variable ${code}; MSG91's has the variable ##OTP## and the id of the DLT template;
                WhatsApp's is the name of an authentication template that Meta has approved.
                """
            },
            Setting("METHOD", \.method, .choice(), example: ["any": "post"]) { "The method of requests for http." },
            Setting("HEADERS", \.headers, .text, unset: "none", isSecret: true, example: ["any": "Request-Id: {id}"]) {
                "Further header fields of requests for http: Name: value, separated by semicolons."
            },
            Setting("CONTENT", \.content, .choice(), example: ["any": "json"]) {
                "The content type of the body for http, and so how values are escaped in it."
            },
            Setting("BODY", \.body, .text, unset: "none", isSecret: true, example: body) {
                """
                The body of requests for http, required for post. The URL, the header fields and the body contain
                placeholders: {to} (+16505550100), {digits} (without +), {text}, {code}, {locale}, {unicode} (1 or 0),
                {id}, {seconds} and {expires} (how long and until when the message is valid), {milliseconds} (the time),
                {receiptURL}, the settings {account}, {secret}, {from} and {template}, and {language}, the one of the
                template's languages that is the user's. "{seconds:number}" is a JSON number; {text:json} and {text:xml}
                are escaped for JSON and XML inside of another format. Members and fields without a value are left out.
                """
            },
            Setting(
                "AUTHENTICATION",
                \.authentication,
                .authentication,
                unset: "none, or a header field with {secret}",
                // A token that is entered here by mistake must not be logged.
                isSecret: true,
                example: ["any": "bearer"]
            ) {
                """
                How requests for http are authenticated: basic (account and secret), bearer (secret), hmac-sha256 NAME
                (a header field with the HMAC of the body in hexadecimal digits), or aws-sigv4 REGION/SERVICE.
                """
            },
        ]
    }

    private static var httpAnswers: [Setting<GatewayValues>] {
        [
            Setting("ANSWER_ID", \.answerID, .text, unset: "none", example: ["any": "messages.0.id"]) {
                """
                Where a response has the provider's id of the message, for http: a path of names in JSON or XML, with
                indexes in JSON, or the name of a form's field. A response without the id is malformed, unless ERRORS
                has a code that accepts the message.
                """
            },
            Setting("ANSWER_ERROR", \.answerError, .text, unset: "none", example: ["any": "error.code,status"]) {
                """
                Where a response may have a code, for http. Of several paths, the first code that ERRORS has counts. In
                JSON, messages.*.status is a code for each part of a message, and all of them must accept it.
                """
            },
            Setting(
                "ERRORS",
                \.errors,
                .text,
                unset: "the HTTP status determines the outcome",
                example: ["any": "accepted=queued; number invalid=21211,21614; throttled=busy; no credit=402"]
            ) {
                """
                What the codes of http mean, in the words of logs and metrics: accepted, number invalid, number takes no
                messages, recipient blocked, destination not enabled, unroutable, message rejected, suspected fraud,
                throttled, server error, credentials refused, account not enabled, no credit, sender not allowed,
                receipt address refused, request refused. Any other code of a response refuses the message.
                """
            },
        ]
    }

    private static var httpReceipts: [Setting<GatewayValues>] {
        [
            Setting("RECEIPT_STATE", \.receiptState, .text, unset: "none", example: ["any": "status"]) {
                "Where a receipt of http has the message's state. Required for receipts."
            },
            Setting("RECEIPT_DELIVERED", \.receiptDelivered, .text, unset: "none", example: ["any": "delivered"]) {
                "The states of delivered messages, for http. Required for receipts."
            },
            Setting(
                "RECEIPT_UNDELIVERED",
                \.receiptUndelivered,
                .text,
                unset: "none",
                example: ["any": "failed,expired"]
            ) {
                "The states of messages that will not be delivered, for http."
            },
            Setting("RECEIPT_ERROR", \.receiptError, .text, unset: "none", example: ["any": "error.code"]) {
                "Where a receipt of http has an error code."
            },
            Setting("RECEIPT_ID", \.receiptID, .text, unset: "the URL contains it", example: ["any": "reference"]) {
                """
                Where a receipt of http has {id}, if the provider has one URL for the receipts of all messages. Tell it
                this one: the receipt URL, then ?token= and the receipt secret.
                """
            },
        ]
    }
}

extension SettingKind<GatewayAuthentication> {
    /// How requests are authenticated. There is no default to show.
    fileprivate static var authentication: Self {
        SettingKind(
            form: "basic, bearer, hmac-sha256 NAME or aws-sigv4 REGION/SERVICE",
            parse: { GatewayAuthentication($0) },
            show: { _ in "" }
        )
    }
}
