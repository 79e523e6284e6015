extension HTTPGatewayTemplate {
    /// ClickSend: "REST API v3", sections "Send SMS" and "SMS delivery receipts".
    public static let clickSend = HTTPGatewayTemplate(
        server: "https://rest.clicksend.com",
        path: "/v3/sms/send",
        body: """
            {"messages":[{"source":"dialtone","from":"{from}","to":"{to}","body":"{text}","custom_string":"{id}"}]}
            """,
        authentication: .basic,
        answerID: "data.messages.0.message_id",
        answerError: "data.messages.0.status",
        errors: """
            accepted=SUCCESS; number invalid=INVALID_RECIPIENT; sender not allowed=INVALID_SENDER_ID;
            no credit=INSUFFICIENT_CREDIT; destination not enabled=COUNTRY_NOT_ENABLED; server error=INTERNAL_ERROR;
            credentials refused=INVALID_CREDENTIALS; message rejected=EMPTY_MESSAGE,THROTTLED
            """,
        receipts: Receipts(
            state: "status_code",
            delivered: "201",
            undelivered: "300,301,302",
            error: "error_code",
            id: "custom_string"
        ),
        check: "/v3/account"
    )
}
