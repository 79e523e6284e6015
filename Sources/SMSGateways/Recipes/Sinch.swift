extension HTTPGatewayTemplate {
    /// Sinch: "SMS API", sections "Batches" and "Delivery reports". The account is the service plan. Regions have their
    /// own servers, such as https://eu.sms.api.sinch.com.
    public static let sinch = HTTPGatewayTemplate(
        server: "https://us.sms.api.sinch.com",
        path: "/xms/v1/{account}/batches",
        body: """
            {"from":"{from}","to":["{to}"],"body":"{text}","client_reference":"{id}","expire_at":"{expires}",
            "delivery_report":"per_recipient","callback_url":"{receiptURL}"}
            """,
        authentication: .bearer,
        answerID: "id",
        answerError: "code",
        receipts: Receipts(
            state: "status",
            delivered: "Delivered",
            undelivered: "Failed,Rejected,Aborted,Cancelled,Deleted,Expired",
            error: "code"
        ),
        check: "/xms/v1/{account}/batches?page_size=1"
    )
}
