public import Encodings
internal import OutgoingHTTP

/// A gateway that sends WhatsApp messages through Meta's Cloud API: `POST /{phone number id}/messages`.
///
/// Meta: "Authentication templates". The text is a template that Meta has approved, in some languages; Dialtone passes
/// only the code.
public struct WhatsAppGateway: Gateway, Confidential {
    /// The gateway's name in routes, logs and receipt URLs.
    public let name: GatewayName
    private let url: String
    private let token: GatewaySecret
    private let template: WhatsAppTemplate
    private let client: GatewayHTTPClient

    /// Creates a gateway.
    ///
    /// - Parameters:
    ///   - name: the gateway's name in routes.
    ///   - phoneNumberID: the id of the business's phone number: digits.
    ///   - token: the access token of a system user.
    ///   - template: the approved template.
    ///   - server: the API's base URL with its version; override the default for another version or a test.
    ///   - client: the HTTP client.
    /// - Throws: ``GatewayConfigurationError/malformedAccount``
    public init(
        name: GatewayName,
        phoneNumberID: String,
        token: GatewaySecret,
        template: WhatsAppTemplate,
        server: GatewayURL = .whatsApp,
        client: GatewayHTTPClient
    ) throws(GatewayConfigurationError) {
        guard phoneNumberID.isASCIIDigits, (1...32).contains(phoneNumberID.utf8.count) else { throw .malformedAccount }
        url = server.appending(path: "/\(phoneNumberID)")
        self.name = name
        self.token = token
        self.template = template
        self.client = client
    }

    /// Sends a message.
    ///
    /// - Parameter message: the message to send.
    /// - Returns: the outcome.
    public func send(_ message: OutgoingMessage) async -> GatewayOutcome {
        var request = request("/messages")
        request.contentType = "application/json"
        request.body = body(of: message)
        do throws(RequestFailure) {
            let answer = try await client.send(request)
            guard answer.isSuccess else { return WhatsAppErrors.outcome(answer) }
            guard let id = answer.object?["messages"]?.elements?.first?.object?["id"]?.text else {
                return .uncertain(GatewayTrouble(.malformedAnswer, GatewayCode(answer.status)))
            }
            return .accepted(GatewayMessageID(id))
        } catch {
            return GatewayOutcome(error)
        }
    }

    /// Reads the phone number's record.
    public func check() async -> GatewayOutcome? {
        do throws(RequestFailure) {
            let answer = try await client.send(request("?fields=id"))
            return answer.isSuccess ? nil : WhatsAppErrors.outcome(answer)
        } catch {
            return GatewayOutcome(error)
        }
    }

    private func request(_ path: String) -> GatewayRequest {
        GatewayRequest(url: url + path, headers: [("Authorization", "Bearer \(token.text)")])
    }

    private func body(of message: OutgoingMessage) -> [UInt8] {
        JSONWriter.object { json in
            json.member("messaging_product", "whatsapp")
            json.member("recipient_type", "individual")
            json.member("to", message.phoneNumber)
            json.member("type", "template")
            json.object("template") { json in
                json.member("name", template.name)
                json.object("language") { $0.member("code", template.language(for: message.locale)) }
                json.array("components") { json in
                    json.component("body", code: message.code) { _ in }
                    json.component("button", code: message.code) { json in
                        json.member("sub_type", "url")
                        json.member("index", "0")
                    }
                }
            }
            // Receipts return it.
            json.member("biz_opaque_callback_data", message.id.text)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func component(_ type: String, code: String, _ more: (inout JSONWriter) -> Void) {
        object { json in
            json.member("type", type)
            more(&json)
            json.array("parameters") { json in
                json.object { json in
                    json.member("type", "text")
                    json.member("text", code)
                }
            }
        }
    }
}

/// An authentication template that Meta has approved.
public struct WhatsAppTemplate: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// The languages that it exists in, such as `en_US` or `de`; the first one is for users of all others.
    private let languages: [String]

    /// Creates a template; nil if there is no language, or if one is not of letters, digits and `_`.
    public init?(name: String, languages: [String]) {
        let isName = name.utf8.allSatisfy { $0.isASCIILowercaseLetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
        let areLanguages = languages.allSatisfy { language in
            (2...8).contains(language.utf8.count)
                && language.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
        }
        guard isName, (1...512).contains(name.utf8.count), !languages.isEmpty, areLanguages else { return nil }
        self.name = name
        self.languages = languages
    }

    /// Returns the language for users of a language, which is a BCP 47 tag: the same one, or else one that differs only
    /// in the region.
    func language(for locale: String) -> String {
        let parts = locale.split(separator: "-")
        // Meta names Chinese by regions.
        let region = parts.last == "Hant" ? "TW" : parts.last == "Hans" ? "CN" : parts.last ?? ""
        let exact = "\(parts.first ?? "")_\(region)"
        return languages.first { $0 == exact || $0 == locale }
            ?? languages.first { $0.prefix { $0 != "_" } == parts.first ?? "" } ?? languages[0]
    }
}

extension GatewayURL {
    /// Meta's production API.
    public static let whatsApp = GatewayURL(known: "https://graph.facebook.com/v23.0")
}

/// The outcomes of the Cloud API's error codes.
///
/// Meta: "Cloud API: error codes". For unknown codes the HTTP status decides.
enum WhatsAppErrors {
    static func outcome(_ answer: GatewayAnswer) -> GatewayOutcome {
        guard let code = answer.object?["error"]?.object?.code("code") else { return GatewayOutcome(failed: answer) }
        if let kind = refusal(code.value) { return .refused(GatewayRefusal(kind, code)) }
        if let kind = misconfiguration(code.value) { return .misconfigured(GatewayMisconfiguration(kind, code)) }
        return switch code.value {
        case 4, 80007, 130429, 131048, 131056: .retry(after: answer.retryAfter, GatewayTrouble(.throttled, code))
        case 1, 2, 131000, 131016, 131057: .retry(after: answer.retryAfter, GatewayTrouble(.serverError, code))
        default: GatewayOutcome(failed: answer, code)
        }
    }

    private static func refusal(_ code: Int) -> RefusalKind? {
        switch code {
        // The number does not use WhatsApp, or not in a way that gets templates.
        case 131026, 130472, 131049: .unroutable
        case 131021: .numberInvalid
        case 131030, 130497: .destinationNotEnabled
        default: nil
        }
    }

    private static func misconfiguration(_ code: Int) -> MisconfigurationKind? {
        switch code {
        case 0, 3, 10, 190, 200...299, 131005: .credentialsRefused
        case 368, 131031: .accountNotEnabled
        case 131042: .noCredit
        case 133010, 131037, 131045: .senderNotAllowed
        case 33: .addressUnknown
        case 100, 131008, 132000, 132001, 132005, 132007, 132012, 132015, 132016: .requestRefused
        default: nil
        }
    }
}
