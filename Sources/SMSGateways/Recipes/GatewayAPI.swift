extension HTTPGatewayTemplate {
    /// GatewayAPI: "Mobile Messaging API". The European setup has the server https://messaging.gatewayapi.eu.
    public static let gatewayAPI = HTTPGatewayTemplate(
        server: "https://messaging.gatewayapi.com",
        path: "/mobile/single",
        headers: "Authorization: Token {secret}",
        body: """
            {"sender":"{from}","recipient":"{digits:number}","message":"{text}","reference":"{id}",
            "expiration":"{expires}"}
            """,
        answerID: "msg_id",
        receipts: Receipts(
            state: "event.status",
            delivered: "DELIVERED",
            undelivered: "UNDELIVERABLE,EXPIRED,DELETED,REJECTED,SKIPPED",
            error: "event.error",
            id: "event.reference"
        )
    )
}
