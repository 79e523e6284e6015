extension HTTPGatewayTemplate {
    /// Plivo: "Messages API" and "Message status callbacks".
    public static let plivo = HTTPGatewayTemplate(
        server: "https://api.plivo.com",
        path: "/v1/Account/{account}/Message/",
        body: #"{"src":"{from}","dst":"{digits}","text":"{text}","url":"{receiptURL}"}"#,
        authentication: .basic,
        answerID: "message_uuid.0",
        receipts: Receipts(
            state: "Status",
            delivered: "delivered",
            undelivered: "failed,undelivered,rejected",
            error: "ErrorCode"
        ),
        check: "/v1/Account/{account}/"
    )
}
