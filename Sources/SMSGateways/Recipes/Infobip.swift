extension HTTPGatewayTemplate {
    /// Infobip: "Send SMS messages" (version 3), "Outbound SMS delivery reports" and "Message status codes". Each
    /// account has its own server. `DELIVERED_TO_OPERATOR` is not final.
    public static let infobip = HTTPGatewayTemplate(
        path: "/sms/3/messages",
        headers: "Authorization: App {secret}",
        body: """
            {"messages":[{"sender":"{from}","destinations":[{"to":"{digits}"}],"content":{"text":"{text}"},
            "options":{"validityPeriod":{"amount":"{seconds:number}","timeUnit":"SECONDS"}},
            "webhooks":{"delivery":{"url":"{receiptURL}"}}}]}
            """,
        answerID: "messages.0.messageId",
        answerError: "messages.0.status.name,messages.0.status.groupName",
        errors: """
            accepted=PENDING,DELIVERED; no credit=REJECTED_NOT_ENOUGH_CREDITS; sender not allowed=REJECTED_SENDER;
            destination not enabled=REJECTED_DESTINATION_NOT_REGISTERED,REJECTED_NETWORK;
            number invalid=REJECTED_DESTINATION,REJECTED_PREFIX_MISSING; recipient blocked=REJECTED_DND;
            unroutable=REJECTED_ROUTE_NOT_AVAILABLE; message rejected=REJECTED_FLOODING_FILTER
            """,
        receipts: Receipts(
            state: "results.0.status.name,results.0.status.groupName",
            delivered: "DELIVERED_TO_HANDSET",
            undelivered: "UNDELIVERABLE,EXPIRED,REJECTED",
            error: "results.0.error.id"
        ),
        check: "/account/1/balance"
    )
}
