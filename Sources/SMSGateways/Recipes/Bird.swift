extension HTTPGatewayTemplate {
    /// Bird: "Channels API", sections "Messaging" and "Message status and interactions". The account is the workspace's
    /// id, and the sender is the channel's.
    public static let bird = HTTPGatewayTemplate(
        server: "https://api.bird.com",
        path: "/workspaces/{account}/channels/{from}/messages",
        headers: "Authorization: AccessKey {secret}",
        body: """
            {"receiver":{"contacts":[{"identifierKey":"phonenumber","identifierValue":"{to}"}]},
            "body":{"type":"text","text":{"text":"{text}"}},"reference":"{id}"}
            """,
        answerID: "id",
        answerError: "code",
        receipts: Receipts(
            state: "payload.status",
            delivered: "delivered",
            undelivered: "sending_failed,delivery_failed,rejected,skipped",
            id: "payload.reference"
        ),
        check: "/workspaces/{account}/channels/{from}"
    )
}
