public import Cryptography
public import Encodings

/// A template with an operator's account, parsed and checked.
///
/// | placeholder | value |
/// |---|---|
/// | `{to}`, `{digits}` | the recipient in E.164 form, and the same without `+` |
/// | `{text}`, `{unicode}` | the whole text; `1` if it is sent as UCS-2, otherwise `0` |
/// | `{code}`, `{locale}` | the code, and the language of the text (BCP 47) |
/// | `{speech}`, `{voice}` | the text of a call, and the locale of its voice |
/// | `{id}`, `{milliseconds}` | Dialtone's id of the message; the current time since the Unix epoch |
/// | `{seconds}`, `{expires}` | the message's remaining lifetime, 30 or more, and its end in UTC (RFC 3339) |
/// | `{receiptURL}` | where to send receipts; absent if no receipts are wanted |
/// | `{account}`, `{secret}`, `{from}`, `{template}` | the settings |
///
/// Values are escaped for the place where they stand, so they never change the structure of a request.
public struct HTTPGatewayConfiguration: Sendable, Confidential {
    /// The operator's account at the provider. A value is required if the template needs it.
    public struct Account: Sendable, Confidential {
        let name: String?
        let secret: GatewaySecret?
        let sender: String?
        let template: String?
        let key: RSAPrivateKey?

        /// Creates an account.
        public init(
            name: String?,
            secret: GatewaySecret?,
            sender: String?,
            template: String?,
            key: RSAPrivateKey? = nil
        ) {
            self.name = name
            self.secret = secret
            self.sender = sender
            self.template = template
            self.key = key
        }
    }

    private let url: TemplateText
    private let headers: [HeaderTemplate]
    private let contentType: String?
    private let body: TemplateBody?
    private let checkURL: TemplateText?
    private let authentication: GatewayAuthentication
    private let account: Account
    private let answerID: String?
    private let answerErrors: [String]
    private let errors: GatewayErrors
    private let receipts: HTTPGatewayTemplate.Receipts?
    /// The scheme, host and port.
    private let origin: String

    /// Parses a template.
    ///
    /// - Parameters:
    ///   - template: the template.
    ///   - server: the server's URL, instead of the template's; nil for the template's.
    ///   - account: the account.
    /// - Throws: ``GatewayTemplateError``, which names the faulty part.
    public init(
        _ template: HTTPGatewayTemplate,
        server: GatewayURL? = nil,
        account: Account
    ) throws(GatewayTemplateError) {
        func url(_ path: String) throws(GatewayTemplateError) -> TemplateText {
            try Self.url(server?.appending(path: path) ?? template.server + path)
        }
        self.url = try url(template.path)
        checkURL = try template.check.map(url)
        origin = ServiceURL.origin(of: self.url.start)
        var headers = try HeaderTemplate.list(template.headers)
        let contentType = headers.firstIndex { $0.name.lowercased() == "content-type" }.map { headers.remove(at: $0) }
        self.headers = headers
        if template.method == .post {
            self.contentType = contentType?.value.start ?? template.content.mediaType
            body = try GatewayTemplateError.in(.body) { () throws(TemplateFault) in
                try TemplateBody(template.body, template.content)
            }
        } else {
            self.contentType = nil
            body = nil
        }
        authentication = template.authentication
        if authentication == .azure, Base64.decode(padded: (account.secret?.text ?? "").utf8) == nil {
            throw GatewayTemplateError(.secret, "the access key is not Base64")
        }
        self.account = account
        answerID = template.answerID
        answerErrors = template.answerError?.split(separator: ",").map { String($0.trimmed) } ?? []
        do {
            errors = try GatewayErrors(template.errors)
        } catch {
            let words = GatewayErrors.Meaning.words.joined(separator: ", ")
            throw GatewayTemplateError(.errors, "\"\(error.text.trimmed)\" is not one of \(words), =, and codes")
        }
        receipts = template.receipts
        try checkPlaceholders()
    }

    private func checkPlaceholders() throws(GatewayTemplateError) {
        let used = Set(url.placeholders + (body?.placeholders ?? []) + headers.flatMap(\.value.placeholders))
        let part = body == nil ? GatewayTemplateError.Part.url : .body
        guard used.contains(.to) || used.contains(.digits) else {
            throw GatewayTemplateError(part, "contains neither {to} nor {digits}")
        }
        guard !used.isDisjoint(with: [.text, .code, .speech]) else {
            throw GatewayTemplateError(part, "contains neither {text} nor {code}")
        }
        guard let receipts else { return }
        let identification = receipts.id == nil ? Placeholder.receiptURL : .id
        guard used.contains(identification) else {
            throw GatewayTemplateError(part, "does not contain {\(identification)}, which receipts need")
        }
    }

    private static func url(_ text: String) throws(GatewayTemplateError) -> TemplateText {
        let template = try GatewayTemplateError.in(.url) { () throws(TemplateFault) in try TemplateText(text) }
        let start = template.start
        let hasPath = start.drop { $0 != "/" }.dropFirst(2).contains { $0 == "/" || $0 == "?" }
        do throws(GatewayConfigurationError) {
            guard template.placeholders.isEmpty || hasPath else { throw .malformedURL }
            _ = try GatewayURL.allowingLoopback(template.filled { _ in "0" })
        } catch {
            throw GatewayTemplateError(.url, "\(error)")
        }
        return template
    }

    /// Returns the request that sends a message.
    func request(_ message: OutgoingMessage, receiptURL: String?, at now: Instant) -> GatewayRequest {
        // Telegram takes at least 30.
        let seconds = message.validSeconds(30...86_400)
        func value(_ placeholder: Placeholder) -> String? {
            switch placeholder {
            case .to: message.phoneNumber
            case .digits: String(message.phoneNumber.dropFirst())
            case .text: message.text
            case .code: message.code
            case .locale: message.locale
            case .speech: message.speech.text
            // Vonage has one locale for Arabic.
            case .voice:
                authentication == .vonage && message.speech.locale.hasPrefix("ar-") ? "ar" : message.speech.locale
            case .id: message.id.text
            case .unicode: message.needsUnicode ? "1" : "0"
            case .seconds: String(seconds)
            case .expires: (now + .seconds(seconds)).utc
            case .milliseconds: String(now.milliseconds)
            case .receiptURL: receiptURL
            case .account: account.name
            case .secret: account.secret?.text
            case .from: account.sender
            case .template: account.template
            }
        }
        return request(url, contentType, body?.filled(value) ?? [], value, at: now)
    }

    /// Returns the request that checks the credentials, or one for the root of the server.
    func checkRequest(at now: Instant) -> GatewayRequest {
        func value(_ placeholder: Placeholder) -> String? {
            switch placeholder {
            case .account: account.name
            case .secret: account.secret?.text
            case .from: account.sender
            default: nil
            }
        }
        return checkURL.map { request($0, nil, [], value, at: now) } ?? GatewayRequest(url: origin + "/")
    }

    /// Whether ``checkRequest(at:)`` needs valid credentials.
    var checksCredentials: Bool { checkURL != nil }

    private func request(
        _ url: TemplateText,
        _ contentType: String?,
        _ body: [UInt8],
        _ value: (Placeholder) -> String?,
        at now: Instant
    ) -> GatewayRequest {
        var request = GatewayRequest(
            url: url.filled(value, escape: PercentEncoding.encode),
            contentType: contentType,
            body: body,
            headers: headers.map { ($0.name, $0.value.filled(value)) }
        )
        authentication.sign(&request, account, at: now)
        return request
    }

    /// Maps a response to an outcome.
    func outcome(_ answer: GatewayAnswer) -> GatewayOutcome {
        let fields = GatewayFields(answer.body)
        if let outcome = errors.outcome(answer, answerErrors.compactMap { fields?[$0] }) { return outcome }
        guard let answerID else { return .accepted(nil) }
        guard let id = fields?[answerID].flatMap({ GatewayMessageID($0) }) else {
            return .uncertain(GatewayTrouble(.malformedAnswer, GatewayCode(answer.status)))
        }
        return .accepted(id)
    }
}

/// A header field with placeholders.
struct HeaderTemplate: Sendable {
    let name: String
    let value: TemplateText

    /// Parses `Name: value; Name: value`.
    static func list(_ text: String) throws(GatewayTemplateError) -> [HeaderTemplate] {
        var headers: [HeaderTemplate] = []
        for part in text.split(separator: ";") where !part.trimmed.isEmpty {
            let pair = part.split(separator: ":", maxSplits: 1).map { String($0.trimmed) }
            guard pair.count == 2, isName(pair[0]), pair[1].utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
                throw GatewayTemplateError(.headers, "not a list of Name: value, separated by semicolons")
            }
            let value = try GatewayTemplateError.in(.headers) { () throws(TemplateFault) in try TemplateText(pair[1]) }
            // These may contain line breaks or characters outside of ASCII, which header fields cannot.
            let refused: [Placeholder] = [.text, .speech, .from, .template, .account]
            if let placeholder = value.placeholders.first(where: { refused.contains($0) }) {
                throw GatewayTemplateError(.headers, "{\(placeholder)} must not be in a header field")
            }
            headers.append(HeaderTemplate(name: pair[0], value: value))
        }
        return headers
    }

    /// Returns whether a header field may have a name. The client sends those of the connection and of the body itself.
    static func isName(_ text: String) -> Bool {
        let own = ["host", "content-length", "transfer-encoding", "connection"]
        return !text.isEmpty && !own.contains(text.lowercased())
            && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
    }
}

/// A faulty part of a template. The description contains no secret.
public struct GatewayTemplateError: Error, Equatable, CustomStringConvertible {
    /// A part of a template.
    public enum Part: Sendable {
        case url
        case headers
        case body
        case errors
        case secret
    }

    /// The faulty part.
    public let part: Part
    /// What is wrong with it.
    public let description: String

    init(_ part: Part, _ description: String) {
        self.part = part
        self.description = description
    }

    /// Returns the result of `parse`. A fault is one of this part.
    static func `in`<Value>(
        _ part: Part,
        _ parse: () throws(TemplateFault) -> Value
    ) throws(GatewayTemplateError) -> Value {
        do {
            return try parse()
        } catch {
            switch error {
            case .unknownPlaceholder(let name):
                let known = Placeholder.allCases.map { "{\($0)}" }.joined(separator: ", ")
                throw GatewayTemplateError(part, "{\(name)} is not a placeholder; there are \(known)")
            case .notJSON: throw GatewayTemplateError(part, "not a JSON document")
            case .notForm: throw GatewayTemplateError(part, "not a list of name=value, separated by &")
            case .notXML:
                throw GatewayTemplateError(part, "not XML with placeholders in texts and in quoted attributes only")
            }
        }
    }
}
