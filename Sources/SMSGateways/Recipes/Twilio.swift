extension HTTPGatewayTemplate {
    /// Twilio: "Messages resource", section "Create a Message", and "Error and Warning Dictionary". The account is its
    /// SID.
    public static let twilio = twilio("Messages", "From={from}&Body={text}&ValidityPeriod={seconds}")

    /// Messages whose sender a messaging service chooses: its SID is the sender.
    public static let twilioService = twilio(
        "Messages",
        "MessagingServiceSid={from}&Body={text}&ValidityPeriod={seconds}"
    )

    /// Twilio: "Calls resource", section "Create a Call", and "TwiML Voice: Say". The call says the code twice. An
    /// answered call is a delivered message.
    public static let twilioVoice = twilio(
        "Calls",
        #"From={from}&Twiml=<Response><Say language="{voice:xml}" loop="2">{speech:xml}</Say></Response>"#
    )

    private static func twilio(_ resource: String, _ body: String) -> HTTPGatewayTemplate {
        HTTPGatewayTemplate(
            server: "https://api.twilio.com",
            path: "/2010-04-01/Accounts/{account}/\(resource).json",
            content: .form,
            body: "To={to}&\(body)&StatusCallback={receiptURL}",
            authentication: .twilio,
            leastSeconds: 1,
            answerID: "sid",
            answerError: "code",
            errors: """
                number invalid=21211,21214,21217,21401,21421,30005; number takes no messages=21614,21635,30006;
                recipient blocked=21610,30004; unroutable=21612,30003; suspected fraud=30450;
                destination not enabled=14111,21215,21216,21219,21408,21608;
                message rejected=21602,21605,21617,21619,30007,30010;
                throttled=14107,20429,21611,30001,30022,63038; server error=20500,20503;
                credentials refused=20003,20004,20006,20008; account not enabled=10001,10002,20005,30002;
                sender not allowed=21210,21212,21603,21606,21607,21618,21659,21660,21661,21701,21702,21703,21704,21705,
                30034; receipt address refused=21609; address unknown=20404; request refused=20001,21604,90007
                """,
            signedReceipts: { TwilioReceiptVerifier(authToken: $0) },
            // Lists messages to a number that no one has: not every API key may read the account.
            check: "/2010-04-01/Accounts/{account}/\(resource).json?PageSize=1&To=%2B16505550100"
        )
    }
}
