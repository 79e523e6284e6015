extension HTTPGatewayTemplate {
    /// Telnyx: "Send a message", "Receiving webhooks for messaging" and "Messaging error codes".
    public static let telnyx = HTTPGatewayTemplate(
        server: "https://api.telnyx.com",
        path: "/v2/messages",
        body: #"{"from":"{from}","to":"{to}","text":"{text}","webhook_url":"{receiptURL}"}"#,
        authentication: .bearer,
        answerID: "data.id",
        answerError: "errors.0.code",
        errors: """
            credentials refused=10009,10010; throttled=10011,40011,40318; no credit=20100;
            number invalid=10002,10016,40012,40310; number takes no messages=40001; recipient blocked=40300;
            message rejected=40002,40003,40009,40015,40302; sender not allowed=10001,40013,40305,40306;
            destination not enabled=40309; account not enabled=40312,40314
            """,
        receipts: Receipts(
            state: "data.payload.to.0.status",
            delivered: "delivered",
            undelivered: "sending_failed,delivery_failed",
            error: "data.payload.errors.0.code"
        ),
        check: "/v2/balance"
    )
}
