extension HTTPGatewayTemplate {
    /// Vonage: "Voice API", sections "Create an outbound call" and "Event webhook". The call says the code twice.
    public static let vonageVoice = HTTPGatewayTemplate(
        server: "https://api.nexmo.com",
        path: "/v1/calls",
        body: """
            {"to":[{"type":"phone","number":"{digits}"}],"from":{"type":"phone","number":"{from}"},
            "ncco":[{"action":"talk","text":"{speech}","language":"{voice}","loop":2}],"event_url":["{receiptURL}"]}
            """,
        authentication: .vonage,
        answerID: "uuid",
        receipts: Receipts(
            state: "status",
            delivered: "completed",
            undelivered: "failed,rejected,busy,cancelled,timeout,unanswered"
        ),
        check: "/v1/calls?page_size=1"
    )
}
