extension HTTPGatewayTemplate {
    private static let permissions = (200...299).map(String.init).joined(separator: ",")

    /// Meta's Cloud API: "Authentication templates" and "Cloud API: error codes". The account is the id of the
    /// business's phone number. The text is a template that Meta has approved, in some languages.
    public static let whatsApp = HTTPGatewayTemplate(
        server: "https://graph.facebook.com/v23.0",
        path: "/{account}/messages",
        body: """
            {"messaging_product":"whatsapp","recipient_type":"individual","to":"{to}","type":"template",
            "template":{"name":"{template}","language":{"code":"{language}"},"components":[
            {"type":"body","parameters":[{"type":"text","text":"{code}"}]},
            {"type":"button","sub_type":"url","index":"0","parameters":[{"type":"text","text":"{code}"}]}]},
            "biz_opaque_callback_data":"{id}"}
            """,
        authentication: .bearer,
        answerID: "messages.0.id",
        answerError: "error.code",
        // The number does not use WhatsApp, or not in a way that gets templates: 131026, 130472, 131049.
        errors: """
            unroutable=131026,130472,131049; number invalid=131021; destination not enabled=131030,130497;
            throttled=4,80007,130429,131048,131056; server error=1,2,131000,131016,131057;
            credentials refused=0,3,10,190,131005,\(permissions); account not enabled=368,131031; no credit=131042;
            sender not allowed=133010,131037,131045; address unknown=33;
            request refused=100,131008,132000,132001,132005,132007,132012,132015,132016
            """,
        signedReceipts: { WhatsAppReceiptVerifier(secret: $0) },
        check: "/{account}?fields=id"
    )
}
