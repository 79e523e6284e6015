extension HTTPGatewayTemplate {
    /// Alibaba Cloud Short Message Service: "SendSms" and "API error codes". The sender is the signature, and the
    /// template is a `TemplateCode`, whose text has the variable `${code}`.
    public static let alibaba = HTTPGatewayTemplate(
        server: "https://dysmsapi.aliyuncs.com",
        path: "/?PhoneNumbers={digits}&SignName={from}&TemplateCode={template}&OutId={id}"
            + "&TemplateParam=%7B%22code%22%3A%22{code:json}%22%7D",
        headers: "x-acs-action: SendSms; x-acs-version: 2017-05-25; x-acs-signature-nonce: {id}.{milliseconds}",
        content: .form,
        authentication: .alibaba,
        answerID: "BizId",
        answerError: "Code",
        errors: """
            accepted=OK; number invalid=isv.MOBILE_NUMBER_ILLEGAL; recipient blocked=isv.BLACK_KEY_CONTROL_LIMIT;
            destination not enabled=isv.NOT_SUPPORTED_COUNTRY,isv.COUNTRY_RESTRICTED;
            throttled=Throttling,Throttling.User; message rejected=isv.BUSINESS_LIMIT_CONTROL;
            no credit=isv.AMOUNT_NOT_ENOUGH,isv.OUT_OF_SERVICE; server error=isp.SYSTEM_ERROR,isp.GATEWAY_ERROR;
            account not enabled=isv.PRODUCT_UN_SUBSCRIPT,isv.ACCOUNT_NOT_EXISTS,isv.ACCOUNT_ABNORMAL;
            credentials refused=isp.RAM_PERMISSION_DENY,InvalidAccessKeyId.NotFound,SignatureDoesNotMatch;
            sender not allowed=isv.SMS_SIGNATURE_ILLEGAL,isv.SMS_SIGN_ILLEGAL;
            request refused=isv.SMS_TEMPLATE_ILLEGAL,isv.TEMPLATE_MISSING_PARAMETERS,isv.INVALID_JSON_PARAM
            """
    )
}
