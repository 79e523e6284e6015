extension HTTPGatewayTemplate {
    /// MSG91: "Send SMS" (Flow, version 5) and "Error codes". The template is one of the account's, which has the
    /// registered text, its DLT template id and the variable `##OTP##`.
    public static let msg91 = HTTPGatewayTemplate(
        server: "https://control.msg91.com",
        path: "/api/v5/flow",
        headers: "authkey: {secret}",
        body: #"{"template_id":"{template}","short_url":"0","recipients":[{"mobiles":"{digits}","OTP":"{code}"}]}"#,
        answerID: "message",
        answerError: "code,type",
        errors: """
            accepted=success; credentials refused=201,207,208,401,418; number invalid=202; sender not allowed=203;
            no credit=301; account not enabled=302,303; unroutable=306; message rejected=310; server error=506,601
            """
    )
}
