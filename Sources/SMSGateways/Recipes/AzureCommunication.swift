extension HTTPGatewayTemplate {
    /// Azure Communication Services: "SMS – Send". Receipts are only available through Event Grid.
    public static let azure = HTTPGatewayTemplate(
        path: "/sms?api-version=2021-03-07",
        body: """
            {"from":"{from}","smsRecipients":[{"to":"{to}"}],"message":"{text}","smsSendOptions":{"tag":"{id}",
            "enableDeliveryReport":false}}
            """,
        authentication: .azure,
        answerID: "value.0.messageId",
        answerError: "value.0.httpStatusCode",
        errors: "accepted=202; number invalid=400; throttled=429; server error=500"
    )
}
