import Encodings
import Testing

@testable import SMSGateways

/// Values never change the structure of a request.
@Suite struct TemplateBodyTests {
    static let hostile = [
        #"","admin":true,"x":""#, "\\\"}]", "line\nbreak\r\u{0}", "&to=16505550199&x=", "a=b;c", "</text><to>1</to>",
        "' or \"", "{to}", "{secret:json}", "%26%3D", "}{", "<![CDATA[", "\u{FFFE}é漢", "&amp;",
    ]

    private static func values(_ text: String) -> (Placeholder) -> String? {
        { placeholder in
            switch placeholder {
            case .text: text
            case .to: "+16505550123"
            case .seconds: "540"
            default: nil
            }
        }
    }

    @Test("a text with any characters is one JSON string", arguments: hostile)
    func json(text: String) throws {
        let template = #"{"to":["{to}"],"message":{"text":"a {text} z"},"ttl":"{seconds:number}","fixed":true}"#
        let body = try TemplateBody(template, .json).filled(Self.values(text))
        let message = JSONObject(members: [("text", .string("a \(text) z"))])
        let expected: [(String, JSONValue)] = [
            ("to", .array([.string("+16505550123")])), ("message", .object(message)), ("ttl", .number("540")),
            ("fixed", .bool(true)),
        ]
        #expect(JSONObject(parsing: body) == JSONObject(members: expected))
    }

    @Test("a text with any characters is one form field", arguments: hostile)
    func form(text: String) throws {
        let body = try TemplateBody("to={to}&text=%26{text}&on=1", .form).filled(Self.values(text))
        let fields = try #require(FormFields(body)).fields
        #expect(fields.map(\.name) == ["to", "text", "on"])
        #expect(fields.map(\.value) == ["+16505550123", "&\(text)", "1"])
    }

    @Test("JSON and XML in a form field have the form's escaping around their own", arguments: hostile)
    func nested(text: String) throws {
        let template = #"to={to:digits}&all={"text":"{text:json}"}&call=<Say x="1">{text:xml}</Say>"#
        let fields = try #require(FormFields(try TemplateBody(template, .form).filled(Self.values(text))))
        #expect(fields.fields.map(\.name) == ["to", "all", "call"] && fields["to"] == "16505550123")
        let members = JSONObject(members: [("text", .string(text))])
        #expect(JSONObject(parsing: Array(try #require(fields["all"]).utf8)) == members)
        #expect(fields["call"] == #"<Say x="1">\#(XMLTemplate.escape(text))</Say>"#)
    }

    @Test("a text with any characters is one XML text or attribute", arguments: hostile)
    func xml(text: String) throws {
        let template = #"<?xml version="1.0"?><sms to='{to}' note="{text}"><text>{text}</text><end/></sms>"#
        let body = String(decoding: try TemplateBody(template, .xml).filled(Self.values(text)), as: UTF8.self)
        let start = #"<?xml version="1.0"?><sms to='+16505550123' note=""#
        #expect(body.hasPrefix(start) && body.hasSuffix("</text><end/></sms>"))
        let inner = body.dropFirst(start.count).dropLast("</text><end/></sms>".count)
        let parts = inner.split(separator: "\"><text>", omittingEmptySubsequences: false)
        #expect(parts.count == 2 && parts[0] == parts[1])
        #expect(!parts[0].contains { "<>\"'\n\r\0".contains($0) })
        let plain = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#10;", "\n"), ("&#13;", "\r")]
        let decoded = plain.reduce(String(parts[0])) { $0.replacing($1.0, with: $1.1) }.replacing("&amp;", with: "&")
        #expect(decoded == text.replacing("\u{0}", with: "\u{FFFD}").replacing("\u{FFFE}", with: "\u{FFFD}"))
    }

    @Test("members and fields without a value are left out, with objects and lists that become empty")
    func absent() throws {
        let json = #"{"to":"{to}","hooks":[{"url":"{receiptURL}"}],"empty":{},"sender":"{from}"}"#
        #expect(
            String(decoding: try TemplateBody(json, .json).filled(Self.values("")), as: UTF8.self)
                == #"{"to":"+16505550123","empty":{}}"#
        )
        #expect(
            String(decoding: try TemplateBody("to={to}&url={receiptURL}", .form).filled(Self.values("")), as: UTF8.self)
                == "to=%2B16505550123"
        )
    }

    static let faults: [(String, HTTPGatewayTemplate.Content, String)] = [
        (#"{"to":"{to}""#, .json, "not a JSON document"), ("to={to}", .json, "not a JSON document"),
        (#"{"to":{to}}"#, .json, "not a JSON document"), (#"{"to":"{too}"}"#, .json, "{too} is not a placeholder"),
        (#"{"to":"{text:number}"}"#, .json, "{text:number} is not a placeholder"),
        (#"{"{to}":"{text}"}"#, .json, "{to} must not be in a name"),
        ("to={to}&{text}=1", .form, "{text} must not be in a name"),
        ("to={to:raw}", .form, "{to:raw} is not a placeholder"), ("to=%zz", .form, "not a list of name=value"),
        ("<to>{to}", .xml, "not XML"), ("<to>{to}</ot>", .xml, "not XML"), ("<{to}/>", .xml, "not XML"),
        ("<a b={to}/>", .xml, "not XML"), ("<a/><b/>", .xml, "not XML"), ("{to}", .xml, "not XML"),
        ("<a><![CDATA[{text}]]></a>", .xml, "not XML"), ("<a><!--{text}--></a>", .xml, "not XML"),
    ]

    @Test("a body that is not of its content type, or has an unknown placeholder, is rejected", arguments: faults)
    func faulty(text: String, content: HTTPGatewayTemplate.Content, reason: String) {
        let error = #expect(throws: GatewayTemplateError.self) {
            try TemplateBody(text, content)
        }
        #expect(error?.description.hasPrefix(reason) == true, "\(error?.description ?? "")")
    }

    @Test("braces that enclose no placeholder are literal")
    func literal() throws {
        #expect(try TemplateText("##OTP## {} {1} { to} {to").filled({ _ in "x" }) == "##OTP## {} {1} { to} {to")
    }
}
