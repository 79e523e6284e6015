extension HTTPGatewayTemplate {
    /// Africa's Talking: "SMS", section "Send bulk SMS". Receipts contain no id of Dialtone's.
    public static let africasTalking = HTTPGatewayTemplate(
        server: "https://api.africastalking.com",
        path: "/version1/messaging",
        headers: "apiKey: {secret}",
        content: .form,
        body: "username={account}&to={to}&message={text}&from={from}",
        answerID: "SMSMessageData.Recipients.0.messageId",
        answerError: "SMSMessageData.Recipients.0.statusCode,SMSMessageData.Message",
        errors: """
            accepted=100,101,102; suspected fraud=401; sender not allowed=402,InvalidSenderId; number invalid=403;
            number takes no messages=404; no credit=405; recipient blocked=406,409; unroutable=407;
            server error=500,501
            """,
        check: "/version1/user?username={account}"
    )
}
