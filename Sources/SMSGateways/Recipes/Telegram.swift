extension HTTPGatewayTemplate {
    /// Telegram Gateway: "Telegram Gateway API". Messages to numbers without Telegram are refused.
    public static let telegram = HTTPGatewayTemplate(
        server: "https://gatewayapi.telegram.org",
        path: "/sendVerificationMessage",
        content: .form,
        body: "phone_number={to}&code={code}&ttl={seconds}&callback_url={receiptURL}",
        authentication: .bearer,
        answerID: "result.request_id",
        answerError: "error",
        errors: """
            credentials refused=ACCESS_TOKEN_INVALID; number invalid=PHONE_NUMBER_INVALID;
            no credit=BALANCE_NOT_ENOUGH
            """,
        receipts: Receipts(state: "delivery_status.status", delivered: "delivered,read", undelivered: "expired,revoked")
    )
}
