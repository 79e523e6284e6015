extension HTTPGatewayTemplate {
    /// Amazon SNS: "Publish" and "Common errors". The account is the access key's id. Each region has its own server,
    /// such as https://sns.eu-west-1.amazonaws.com. Receipts are only available through CloudWatch.
    public static let sns = HTTPGatewayTemplate(
        path: "/",
        content: .form,
        body: "Action=Publish&Version=2010-03-31&PhoneNumber={to}&Message={text}"
            + "&MessageAttributes.entry.1.Name=AWS.SNS.SMS.SMSType"
            + "&MessageAttributes.entry.1.Value.DataType=String"
            + "&MessageAttributes.entry.1.Value.StringValue=Transactional"
            + "&MessageAttributes.entry.2.Name=AWS.SNS.SMS.SenderID"
            + "&MessageAttributes.entry.2.Value.DataType=String"
            + "&MessageAttributes.entry.2.Value.StringValue={from}",
        authentication: .aws(region: nil, service: "sns"),
        answerID: "PublishResponse.PublishResult.MessageId",
        answerError: "ErrorResponse.Error.Code,Error.Code",
        errors: """
            number invalid=InvalidParameter,InvalidParameterValue; recipient blocked=OptedOut;
            throttled=Throttled,Throttling,ThrottlingException; account not enabled=OptInRequired;
            credentials refused=AuthorizationError,InvalidClientTokenId,SignatureDoesNotMatch,IncompleteSignature,
            AccessDenied,RequestExpired,MissingAuthenticationToken
            """
    )
}
