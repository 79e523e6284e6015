import APNsStandIn
import Cryptography
import Encodings
import GatewayStandIn
import Testing

@testable import SMSGateways

/// Each provider's template against a stand-in that answers as the provider's public documentation says.
@Suite struct RecipeTests {
    /// How a provider expects a message, and what its answers mean.
    struct Provider: Sendable, CustomTestStringConvertible {
        let name: String
        let template: HTTPGatewayTemplate
        let path: String
        /// The credentials' header field, and the start of its value.
        let header: (String, String)
        let body: String
        let accepted: (Int, String)
        let refused: [(Int, String, String)]

        var testDescription: String { name }
    }

    private static let basic = "Basic dXNlcjphLXNlY3JldC9vZit0aGU9ZXhhbXBsZQ=="
    private static let text = "123456 is your code for “Ex&mple” = 100%+"
    private static let formText = "123456%20is%20your%20code%20for%20%E2%80%9CEx%26mple%E2%80%9D%20%3D%20100%25%2B"
    private static let proof = "Ne50Ssx4_S2yF8H9t6pKjZ3TQFlSSwX4BKFKTxZRfzE"
    private static let receiptURL = "\(Example.receipts)?message=m-1_A&proof=\(proof)"

    private static let twilioURL = PercentEncoding.encode("\(Example.receipts)?message=m-1_A")
    private static let call = "1, 2, 3, 4, 5, 6 is your code for “Ex&mple” <1>"
    private static let parameters = #""parameters":[{"type":"text","text":"123456"}]"#

    /// Answers with codes, and what they mean.
    private static func codes(
        in body: (String) -> String,
        _ rows: [(status: Int, code: Int, meaning: String)]
    ) -> [(Int, String, String)] {
        rows.map { ($0.status, body(String($0.code)), "\($0.meaning) (\($0.code))") }
    }

    static let providers: [Provider] = [
        Provider(
            name: "africastalking",
            template: .africasTalking,
            path: "/version1/messaging",
            header: ("apikey", Example.secret),
            body: "username=user&to=%2B16505550123&message=\(formText)&from=Example",
            accepted: (201, #"{"SMSMessageData":{"Recipients":[{"statusCode":101,"messageId":"theirs"}]}}"#),
            refused: [
                (201, #"{"SMSMessageData":{"Recipients":[{"statusCode":403}]}}"#, "refused: number invalid (403)"),
                (201, #"{"SMSMessageData":{"Recipients":[{"statusCode":405}]}}"#, "misconfigured: no credit (405)"),
                (
                    201, #"{"SMSMessageData":{"Message":"InvalidSenderId","Recipients":[]}}"#,
                    "misconfigured: sender not allowed (InvalidSenderId)"
                ),
            ]
        ),
        Provider(
            name: "aliyun",
            template: .alibaba,
            path: "/?PhoneNumbers=16505550123&SignName=Example&TemplateCode=login_code&OutId=m-1_A"
                + "&TemplateParam=%7B%22code%22%3A%22123456%22%7D",
            header: ("authorization", "ACS3-HMAC-SHA256 Credential=user,SignedHeaders=host;x-acs-action;"),
            body: "",
            accepted: (200, #"{"Code":"OK","Message":"OK","BizId":"theirs","RequestId":"F655A8D5"}"#),
            refused: [
                (200, #"{"Code":"isv.MOBILE_NUMBER_ILLEGAL"}"#, "refused: number invalid (isv.MOBILE_NUMBER_ILLEGAL)"),
                (
                    200, #"{"Code":"isv.BUSINESS_LIMIT_CONTROL"}"#,
                    "refused: message rejected (isv.BUSINESS_LIMIT_CONTROL)"
                ),
                (
                    404, #"{"Code":"InvalidAccessKeyId.NotFound"}"#,
                    "misconfigured: credentials refused (InvalidAccessKeyId.NotFound)"
                ),
            ]
        ),
        Provider(
            name: "azure",
            template: .azure,
            path: "/sms?api-version=2021-03-07",
            header: ("authorization", "HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature="),
            body: #"{"from":"Example","smsRecipients":[{"to":"+16505550123"}],"message":"\#(text)","#
                + #""smsSendOptions":{"tag":"m-1_A","enableDeliveryReport":false}}"#,
            accepted: (202, #"{"value":[{"messageId":"theirs","httpStatusCode":202,"successful":true}]}"#),
            refused: [
                (202, #"{"value":[{"httpStatusCode":400,"successful":false}]}"#, "refused: number invalid (400)"),
                (401, #"{"error":{"code":"Denied"}}"#, "misconfigured: credentials refused (401)"),
            ]
        ),
        Provider(
            name: "bird",
            template: .bird,
            path: "/workspaces/user/channels/Example/messages",
            header: ("authorization", "AccessKey \(Example.secret)"),
            body: #"{"receiver":{"contacts":[{"identifierKey":"phonenumber","identifierValue":"+16505550123"}]},"#
                + #""body":{"type":"text","text":{"text":"\#(text)"}},"reference":"m-1_A"}"#,
            accepted: (202, #"{"id":"theirs","status":"accepted"}"#),
            refused: [
                (422, #"{"code":"InvalidPayload"}"#, "refused: other reason (InvalidPayload)"),
                (402, "", "misconfigured: no credit (402)"),
            ]
        ),
        Provider(
            name: "clicksend",
            template: .clickSend,
            path: "/v3/sms/send",
            header: ("authorization", basic),
            body: #"{"messages":[{"source":"dialtone","from":"Example","to":"+16505550123","body":"\#(text)","#
                + #""custom_string":"m-1_A"}]}"#,
            accepted: (200, #"{"data":{"messages":[{"message_id":"theirs","status":"SUCCESS"}]}}"#),
            refused: [
                (
                    200, #"{"response_code":"SUCCESS","data":{"messages":[{"status":"INVALID_RECIPIENT"}]}}"#,
                    "refused: number invalid (INVALID_RECIPIENT)"
                ),
                (
                    200, #"{"response_code":"SUCCESS","data":{"messages":[{"status":"SOMETHING_NEW"}]}}"#,
                    "refused: other reason (SOMETHING_NEW)"
                ),
            ]
        ),
        Provider(
            name: "gatewayapi",
            template: .gatewayAPI,
            path: "/mobile/single",
            header: ("authorization", "Token \(Example.secret)"),
            body: #"{"sender":"Example","recipient":16505550123,"message":"\#(text)","reference":"m-1_A","#
                + #""expiration":"2026-09-21T14:22:20Z"}"#,
            accepted: (202, #"{"msg_id":"theirs","recipient":16505550123,"reference":"m-1_A"}"#),
            refused: [(403, "", "misconfigured: credentials refused (403)"), (422, "", "refused: other reason (422)")]
        ),
        Provider(
            name: "infobip",
            template: .infobip,
            path: "/sms/3/messages",
            header: ("authorization", "App \(Example.secret)"),
            body: #"{"messages":[{"sender":"Example","destinations":[{"to":"16505550123"}],"#
                + #""content":{"text":"\#(text)"},"options":{"validityPeriod":{"amount":540,"timeUnit":"SECONDS"}},"#
                + #""webhooks":{"delivery":{"url":"\#(receiptURL)"}}}]}"#,
            accepted: (
                200,
                #"{"messages":[{"messageId":"theirs","status":{"groupName":"PENDING","name":"PENDING_ACCEPTED"}}]}"#
            ),
            refused: [
                (
                    200, #"{"messages":[{"status":{"groupName":"REJECTED","name":"REJECTED_DND"}}]}"#,
                    "refused: recipient blocked (REJECTED_DND)"
                ),
                (
                    200, #"{"messages":[{"status":{"groupName":"REJECTED","name":"REJECTED_NEW"}}]}"#,
                    "refused: other reason (REJECTED_NEW)"
                ),
            ]
        ),
        Provider(
            name: "msg91",
            template: .msg91,
            path: "/api/v5/flow",
            header: ("authkey", Example.secret),
            body:
                #"{"template_id":"login_code","short_url":"0","recipients":[{"mobiles":"16505550123","OTP":"123456"}]}"#,
            accepted: (200, #"{"message":"theirs","type":"success"}"#),
            refused: [
                (200, #"{"message":"no","type":"error","code":"418"}"#, "misconfigured: credentials refused (418)"),
                (200, #"{"message":"no","type":"error"}"#, "refused: other reason (error)"),
            ]
        ),
        Provider(
            name: "plivo",
            template: .plivo,
            path: "/v1/Account/user/Message/",
            header: ("authorization", basic),
            body: #"{"src":"Example","dst":"16505550123","text":"\#(text)","url":"\#(receiptURL)"}"#,
            accepted: (202, #"{"message":"message(s) queued","message_uuid":["theirs"]}"#),
            refused: [
                (400, #"{"error":"src is not valid"}"#, "refused: other reason (400)"),
                (401, "no", "misconfigured: credentials refused (401)"),
            ]
        ),
        Provider(
            name: "sinch",
            template: .sinch,
            path: "/xms/v1/user/batches",
            header: ("authorization", "Bearer \(Example.secret)"),
            body: #"{"from":"Example","to":["+16505550123"],"body":"\#(text)","client_reference":"m-1_A","#
                + #""expire_at":"2026-09-21T14:22:20Z","delivery_report":"per_recipient","#
                + #""callback_url":"\#(receiptURL)"}"#,
            accepted: (201, #"{"id":"theirs","type":"mt_text"}"#),
            refused: [
                (
                    400, #"{"code":"syntax_constraint_violation"}"#,
                    "refused: other reason (syntax_constraint_violation)"
                )
            ]
        ),
        Provider(
            name: "sns",
            template: .sns,
            path: "/",
            header: ("authorization", "AWS4-HMAC-SHA256 Credential=user/20260921/0/sns/aws4_request, SignedHeaders="),
            body: "Action=Publish&Version=2010-03-31&PhoneNumber=%2B16505550123&Message=\(formText)"
                + "&MessageAttributes.entry.1.Name=AWS.SNS.SMS.SMSType"
                + "&MessageAttributes.entry.1.Value.DataType=String"
                + "&MessageAttributes.entry.1.Value.StringValue=Transactional"
                + "&MessageAttributes.entry.2.Name=AWS.SNS.SMS.SenderID"
                + "&MessageAttributes.entry.2.Value.DataType=String"
                + "&MessageAttributes.entry.2.Value.StringValue=Example",
            accepted: (
                200,
                """
                <PublishResponse xmlns="https://sns.amazonaws.com/doc/2010-03-31/"><PublishResult>
                <MessageId>theirs</MessageId></PublishResult></PublishResponse>
                """
            ),
            refused: [
                (
                    400,
                    "<ErrorResponse><Error><Type>Sender</Type><Code>InvalidParameter</Code></Error></ErrorResponse>",
                    "refused: number invalid (InvalidParameter)"
                ),
                (400, #"{"Error":{"Code":"Throttling"}}"#, "not sent: throttled (Throttling)"),
                (
                    403, "<ErrorResponse><Error><Code>SignatureDoesNotMatch</Code></Error></ErrorResponse>",
                    "misconfigured: credentials refused (SignatureDoesNotMatch)"
                ),
            ]
        ),
        Provider(
            name: "telegram",
            template: .telegram,
            path: "/sendVerificationMessage",
            header: ("authorization", "Bearer \(Example.secret)"),
            body: "phone_number=%2B16505550123&code=123456&ttl=540&callback_url="
                + PercentEncoding.encode(receiptURL),
            accepted: (200, #"{"ok":true,"result":{"request_id":"theirs","request_cost":0.01}}"#),
            refused: [
                (
                    200, #"{"ok":false,"error":"ACCESS_TOKEN_INVALID"}"#,
                    "misconfigured: credentials refused (ACCESS_TOKEN_INVALID)"
                ),
                (
                    200, #"{"ok":false,"error":"PHONE_NUMBER_INVALID"}"#,
                    "refused: number invalid (PHONE_NUMBER_INVALID)"
                ),
                (
                    200, #"{"ok":false,"error":"BALANCE_NOT_ENOUGH"}"#,
                    "misconfigured: no credit (BALANCE_NOT_ENOUGH)"
                ),
                (200, #"{"ok":false,"error":"SOMETHING_NEW"}"#, "refused: other reason (SOMETHING_NEW)"),
                (200, #"{"ok":true}"#, "uncertain: malformed answer (200)"),
            ]
        ),
        Provider(
            name: "telnyx",
            template: .telnyx,
            path: "/v2/messages",
            header: ("authorization", "Bearer \(Example.secret)"),
            body: #"{"from":"Example","to":"+16505550123","text":"\#(text)","webhook_url":"\#(receiptURL)"}"#,
            accepted: (200, #"{"data":{"id":"theirs"}}"#),
            refused: [
                (400, #"{"errors":[{"code":"40310"}]}"#, "refused: number invalid (40310)"),
                (400, #"{"errors":[{"code":"40300"}]}"#, "refused: recipient blocked (40300)"),
                (403, #"{"errors":[{"code":"20100"}]}"#, "misconfigured: no credit (20100)"),
            ]
        ),
        Provider(
            name: "twilio",
            template: .twilio,
            path: "/2010-04-01/Accounts/user/Messages.json",
            header: ("authorization", basic),
            body: "To=%2B16505550123&From=Example&Body=\(formText)&ValidityPeriod=540&StatusCallback=\(twilioURL)",
            accepted: (201, #"{"sid":"theirs","status":"queued"}"#),
            refused: codes(
                in: { #"{"code":\#($0),"message":"no +16505550123 for you"}"# },
                [
                    (400, 21211, "refused: number invalid"), (400, 21217, "refused: number invalid"),
                    (400, 21614, "refused: number takes no messages"), (400, 21610, "refused: recipient blocked"),
                    (403, 21408, "refused: destination not enabled"), (400, 21608, "refused: destination not enabled"),
                    (400, 21612, "refused: unroutable"), (400, 21617, "refused: message rejected"),
                    (400, 30450, "refused: suspected fraud"), (400, 29999, "refused: other reason"),
                    (401, 20003, "misconfigured: credentials refused"),
                    (403, 20005, "misconfigured: account not enabled"),
                    (404, 20404, "misconfigured: address unknown"), (400, 21606, "misconfigured: sender not allowed"),
                    (400, 30034, "misconfigured: sender not allowed"),
                    (400, 21609, "misconfigured: receipt address refused"),
                    (400, 90007, "misconfigured: request refused"), (429, 20429, "not sent: throttled"),
                    (400, 30001, "not sent: throttled"), (429, 21611, "not sent: throttled"),
                    (500, 20500, "not sent: server error"), (503, 20503, "not sent: server error"),
                ]
            ) + [
                (200, "{}", "uncertain: malformed answer (200)"),
                (502, "<!DOCTYPE html><html><code>21211</code></html>", "uncertain: server error (502)"),
                (302, #"{"code":21211}"#, "misconfigured: redirected (302)"),
            ]
        ),
        Provider(
            name: "twilio-voice",
            template: .twilioVoice,
            path: "/2010-04-01/Accounts/user/Calls.json",
            header: ("authorization", basic),
            body: "To=%2B16505550123&From=Example&Twiml="
                + PercentEncoding.encode(
                    #"<Response><Say language="en-US" loop="2">1, 2, 3, 4, 5, 6 is your code for "#
                        + "“Ex&amp;mple” &lt;1&gt;</Say></Response>"
                ) + "&StatusCallback=\(twilioURL)",
            accepted: (201, #"{"sid":"theirs","status":"queued"}"#),
            refused: codes(
                in: { #"{"code":\#($0)}"# },
                [
                    (400, 21214, "refused: number invalid"), (400, 21215, "refused: destination not enabled"),
                    (400, 21210, "misconfigured: sender not allowed"),
                ]
            )
        ),
        Provider(
            name: "vonage",
            template: .vonage,
            path: "/sms/json",
            // The credentials are in the body.
            header: ("accept", "application/json"),
            body: "api_key=user&api_secret=a-secret%2Fof%2Bthe%3Dexample&from=Example&to=16505550123&text=\(formText)"
                + "&type=unicode&ttl=540000&client-ref=m-1_A"
                + "&callback=\(PercentEncoding.encode(Example.receipts))",
            accepted: (
                200,
                #"{"messages":[{"to":"1","message-id":"theirs","status":"0"},{"message-id":"more","status":"0"}]}"#
            ),
            refused: codes(
                in: { #"{"messages":[{"status":"\#($0)","error-text":"no +16505550123"}]}"# },
                [
                    (200, 1, "not sent: throttled"), (200, 2, "misconfigured: request refused"),
                    (200, 3, "refused: other reason"), (200, 4, "misconfigured: credentials refused"),
                    (200, 5, "not sent: server error"), (200, 6, "refused: unroutable"),
                    (200, 7, "refused: recipient blocked"), (200, 8, "misconfigured: account not enabled"),
                    (200, 9, "misconfigured: no credit"), (200, 10, "not sent: throttled"),
                    (200, 11, "misconfigured: account not enabled"), (200, 12, "refused: message rejected"),
                    (200, 14, "misconfigured: credentials refused"), (200, 15, "misconfigured: sender not allowed"),
                    (200, 22, "refused: unroutable"), (200, 23, "misconfigured: receipt address refused"),
                    (200, 29, "refused: destination not enabled"), (200, 32, "misconfigured: credentials refused"),
                    (200, 33, "refused: number invalid"), (200, 77, "refused: other reason"),
                ]
            ) + [
                // Only a part was sent.
                (200, #"{"messages":[{"status":"0"},{"status":"1"}]}"#, "uncertain: malformed answer (200)"),
                (200, #"{"messages":[{"status":"77"},{"status":"0"}]}"#, "uncertain: malformed answer (200)"),
                (200, #"{"messages":[{"status":"0"},7]}"#, "uncertain: malformed answer (200)"),
                (200, #"{"messages":[{"status":"1"},7]}"#, "uncertain: malformed answer (200)"),
                (200, #"{"messages":[{"status":"1"},{"status":"1"}]}"#, "not sent: throttled (1)"),
                (200, #"{"messages":[{"status":"0","message-id":"é"}]}"#, "accepted"),
                (200, #"{"messages":[{"status":"0"}]}"#, "accepted"),
                (200, #"{"messages":[7]}"#, "uncertain: malformed answer (200)"),
                (200, #"{"messages":[]}"#, "uncertain: malformed answer (200)"),
                (200, "{}", "uncertain: malformed answer (200)"),
                (401, #"{"messages":[{"status":"0"}]}"#, "misconfigured: credentials refused (401)"),
            ]
        ),
        Provider(
            name: "whatsapp",
            template: .whatsApp,
            path: "/user/messages",
            header: ("authorization", "Bearer \(Example.secret)"),
            body: #"{"messaging_product":"whatsapp","recipient_type":"individual","to":"+16505550123","#
                + #""type":"template","template":{"name":"login_code","language":{"code":"en_US"},"components":["#
                + #"{"type":"body",\#(parameters)},{"type":"button","sub_type":"url","index":"0",\#(parameters)}]},"#
                + #""biz_opaque_callback_data":"m-1_A"}"#,
            accepted: (200, #"{"contacts":[{"input":"+1","wa_id":"1"}],"messages":[{"id":"theirs"}]}"#),
            refused: codes(
                in: { #"{"error":{"message":"no +16505550123","type":"OAuthException","code":\#($0)}}"# },
                [
                    (400, 131026, "refused: unroutable"), (400, 131021, "refused: number invalid"),
                    (401, 190, "misconfigured: credentials refused"), (400, 299, "misconfigured: credentials refused"),
                    (404, 132001, "misconfigured: request refused"),
                    (403, 131031, "misconfigured: account not enabled"),
                    (402, 131042, "misconfigured: no credit"), (429, 130429, "not sent: throttled"),
                    (500, 131000, "not sent: server error"), (400, 999, "refused: other reason"),
                ]
            ) + [(200, "{}", "uncertain: malformed answer (200)")]
        ),
        Provider(
            name: "vonage-voice",
            template: .vonageVoice,
            path: "/v1/calls",
            header: ("authorization", "Bearer ey"),
            body: #"{"to":[{"type":"phone","number":"16505550123"}],"from":{"type":"phone","number":"Example"},"#
                + #""ncco":[{"action":"talk","text":"\#(call)","#
                + #""language":"en-US","loop":2}],"event_url":["\#(receiptURL)"]}"#,
            accepted: (201, #"{"uuid":"theirs","status":"started","direction":"outbound"}"#),
            refused: [
                (400, #"{"type":"bad-request","title":"Bad Request"}"#, "refused: other reason (400)"),
                (401, "{}", "misconfigured: credentials refused (401)"),
                (429, "{}", "not sent: throttled (429)"), (200, "{}", "uncertain: malformed answer (200)"),
            ]
        ),
    ]

    private static func gateway(_ template: HTTPGatewayTemplate, _ pair: Pair) throws -> HTTPGateway {
        var account = Example.account
        // Azure's keys are Base64.
        let secret = try GatewaySecret(template.authentication == .azure ? "AAECAwQF" : Example.secret)
        account.secret = secret
        if template.authentication == .vonage { account.key = try RSAPrivateKey.generate() }
        return try pair.gateway(template, account, receipts: template.verifier(secret: secret))
    }

    @Test("a message has the provider's form, and its answers are understood", arguments: providers)
    func sends(provider: Provider) async throws {
        try await Pair.run { pair in
            let gateway = try Self.gateway(provider.template, pair)
            let (status, body) = provider.accepted
            #expect(try await pair.outcome(of: gateway, .answer(status, body)) == .accepted(GatewayMessageID("theirs")))
            let request = try #require(pair.server.requests.first)
            #expect(request.method == "POST" && request.path == provider.path)
            #expect(request.text == provider.body)
            #expect(request.header(provider.header.0)?.hasPrefix(provider.header.1) == true)
            for (status, body, description) in provider.refused {
                #expect(try await pair.outcome(of: gateway, .answer(status, body)).description == description)
            }
        }
    }

    @Test("a check that a provider has reports refused credentials", arguments: providers)
    func checks(provider: Provider) async throws {
        try await Pair.run { pair in
            let gateway = try Self.gateway(provider.template, pair)
            pair.server.always(.answer(401))
            let hasCheck = provider.template.check != nil
            #expect(await gateway.check()?.description == (hasCheck ? "misconfigured: credentials refused (401)" : nil))
            let request = try #require(pair.server.requests.first)
            #expect(request.method == "GET" && (request.path == "/") == !hasCheck)
            if hasCheck { #expect(request.header(provider.header.0)?.hasPrefix(provider.header.1) == true) }
        }
    }

    @Test("a check reports an error's code and a prepaid account without credit")
    func credit() async throws {
        try await Pair.run { pair in
            pair.server.queue(.answer(401, #"{"code":20005}"#))
            let refused = await (try pair.gateway(.twilio)).check()
            #expect(refused?.description == "misconfigured: account not enabled (20005)")
            let gateway = try pair.gateway(.vonage)
            for (value, fault) in [
                ("10.28", nil), ("0", "misconfigured: no credit"), ("0.00", "misconfigured: no credit"),
                ("-0.5", "misconfigured: no credit"), ("true", nil),
            ] {
                pair.server.queue(.answer(200, #"{"value":\#(value),"autoReload":false}"#))
                #expect(await gateway.check()?.description == fault, "\(value)")
            }
            let path = pair.server.requests.last?.path
            #expect(path == "/account/get-balance?api_key=user&api_secret=a-secret%2Fof%2Bthe%3Dexample")
        }
    }

    @Test("Twilio takes a messaging service instead of a sender, and an API key instead of the account")
    func twilio() async throws {
        try await Pair.run { pair in
            var account = Example.account
            account.keyID = Example.keySID
            account.sender = Example.serviceSID
            _ = await (try pair.gateway(.twilioService, account)).send(try Example.message(validFor: .seconds(20_000)))
            let request = try #require(pair.server.requests.first)
            #expect(
                request.form == [
                    "To": Example.phoneNumber, "MessagingServiceSid": Example.serviceSID, "Body": Example.text,
                    "ValidityPeriod": "14400",
                ]
            )
            #expect(request.path == "/2010-04-01/Accounts/user/Messages.json")
            #expect(request.header("authorization")?.hasPrefix("Basic U0swYjBi") == true)
        }
    }

    @Test("Vonage is sent a number without its plus, and a text that needs no Unicode as such")
    func vonage() async throws {
        try await Pair.run { pair in
            var account = Example.account
            account.sender = "+16505550199"
            let message = try Example.message(needsUnicode: false, validFor: .seconds(3))
            _ = await (try pair.gateway(.vonage, account)).send(message)
            let form = try #require(pair.server.requests.first).form
            #expect(form["from"] == "16505550199" && form["type"] == "text" && form["ttl"] == "20000")
            #expect(form["callback"] == nil)
        }
    }

    @Test(
        "the template's language is the user's, if the template has it, otherwise the first one",
        arguments: [
            ("de", "de"), ("pt", "pt_BR"), ("pt-PT", "pt_PT"), ("zh-Hant", "zh_TW"), ("zh-Hans", "zh_CN"),
            ("en", "en_US"), ("fr", "en_US"), ("sr-Latn", "en_US"),
        ]
    )
    func languages(locale: String, language: String) {
        var account = Example.account
        account.languages = ["en_US", "de", "pt_BR", "pt_PT", "zh_CN", "zh_TW"]
        #expect(account.language(for: locale) == language)
    }

    static let receipts: [(HTTPGatewayTemplate, body: String, DeliveryReceipt.State)] = [
        (.bird, #"{"payload":{"status":"delivered","reference":"m-1_A"}}"#, .delivered),
        (.bird, #"{"payload":{"status":"delivery_failed","reference":"m-1_A"}}"#, .undelivered(nil)),
        (.bird, #"{"payload":{"status":"sent","reference":"m-1_A"}}"#, .pending),
        (.clickSend, "status_code=201&custom_string=m-1_A&error_code=", .delivered),
        (.clickSend, "status_code=301&custom_string=m-1_A&error_code=69", .undelivered(GatewayCode(69))),
        (.gatewayAPI, #"{"event":{"status":"DELIVERED","reference":"m-1_A"}}"#, .delivered),
        (.gatewayAPI, #"{"event":{"status":"EXPIRED","reference":"m-1_A"}}"#, .undelivered(nil)),
        (
            .infobip, #"{"results":[{"status":{"groupName":"DELIVERED","name":"DELIVERED_TO_HANDSET"}}]}"#, .delivered
        ),
        (.infobip, #"{"results":[{"status":{"groupName":"DELIVERED","name":"DELIVERED_TO_OPERATOR"}}]}"#, .pending),
        (
            .infobip,
            #"{"results":[{"status":{"groupName":"EXPIRED","name":"EXPIRED_EXPIRED"},"error":{"id":5}}]}"#,
            .undelivered(GatewayCode(5))
        ),
        (.plivo, "Status=delivered&ErrorCode=000", .delivered),
        (.plivo, "Status=undelivered&ErrorCode=30", .undelivered(GatewayCode(30))),
        (.sinch, #"{"type":"recipient_delivery_report_sms","status":"Delivered","code":0}"#, .delivered),
        (
            .sinch, #"{"type":"recipient_delivery_report_sms","status":"Failed","code":405}"#,
            .undelivered(GatewayCode(405))
        ),
        (.sinch, #"{"type":"recipient_delivery_report_sms","status":"Dispatched","code":401}"#, .pending),
        (.telegram, #"{"request_id":"t","delivery_status":{"status":"read","updated_at":1}}"#, .delivered),
        (.telegram, #"{"request_id":"t","delivery_status":{"status":"sent"}}"#, .pending),
        (.telegram, #"{"request_id":"t","delivery_status":{"status":"expired"}}"#, .undelivered(nil)),
        (.telnyx, #"{"data":{"payload":{"to":[{"status":"delivered"}],"errors":[]}}}"#, .delivered),
        (
            .telnyx, #"{"data":{"payload":{"to":[{"status":"delivery_failed"}],"errors":[{"code":"40001"}]}}}"#,
            .undelivered(GatewayCode(40001))
        ),
        (.vonageVoice, #"{"status":"completed","duration":"9"}"#, .delivered),
        (.vonageVoice, #"{"status":"answered"}"#, .pending),
        (.vonageVoice, #"{"status":"busy"}"#, .undelivered(nil)),
    ]

    @Test("a receipt has the state that the provider reports", arguments: receipts)
    func receipt(template: HTTPGatewayTemplate, body: String, state: DeliveryReceipt.State) throws {
        let verifier = try #require(template.verifier(secret: try GatewaySecret(Example.secret)))
        let url = verifier.url(try GatewayURL(Example.receipts), for: try Example.id())
        #expect(verdict(of: verifier, on: body, url: url) == .success(try .example(state)))
    }
}
