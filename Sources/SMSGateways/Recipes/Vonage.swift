extension HTTPGatewayTemplate {
    /// Vonage: "SMS API", "Troubleshooting SMS", "Delivery receipts" and "Account API". The account is the API key. An
    /// answer has a status for each part of the message.
    public static let vonage = HTTPGatewayTemplate(
        server: "https://rest.nexmo.com",
        path: "/sms/json",
        content: .form,
        body: "api_key={account}&api_secret={secret}&from={from:digits}&to={digits}&text={text}&type={alphabet}"
            + "&ttl={seconds}000&client-ref={id}&callback={receiptURL}",
        leastSeconds: 20,
        answerID: "messages.0.message-id",
        answerError: "messages.*.status",
        errors: """
            accepted=0; throttled=1,10; server error=5; number invalid=33; recipient blocked=7; unroutable=6,22;
            destination not enabled=29; message rejected=12; credentials refused=4,14,32; account not enabled=8,11;
            no credit=9; sender not allowed=15; receipt address refused=23; request refused=2,19,20
            """,
        // The signature is not guaranteed to cover a query parameter of the URL.
        receipts: Receipts(
            state: "status",
            delivered: "delivered",
            undelivered: "failed,rejected,expired",
            error: "err-code",
            id: "client-ref"
        ),
        signedReceipts: { VonageReceiptVerifier(secret: $0) },
        check: "/account/get-balance?api_key={account}&api_secret={secret}",
        credit: "value"
    )
}
