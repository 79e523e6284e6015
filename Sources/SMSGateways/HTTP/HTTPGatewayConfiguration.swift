public import Cryptography
public import Encodings

/// A template with an operator's account, parsed and checked.
///
/// | placeholder | value |
/// |---|---|
/// | `{to}`, `{digits}` | the recipient in E.164 form, and the same without `+` |
/// | `{text}` | the whole text |
/// | `{unicode}`, `{alphabet}` | `1` or `unicode` if it is sent as UCS-2, otherwise `0` or `text` |
/// | `{code}`, `{locale}` | the code, and the language of the text (BCP 47) |
/// | `{speech}`, `{voice}` | the text of a call, and the locale of its voice |
/// | `{id}`, `{milliseconds}` | Dialtone's id of the message; the current time since the Unix epoch |
/// | `{seconds}`, `{expires}` | the message's remaining lifetime, 30 or more, and its end in UTC (RFC 3339) |
/// | `{receiptURL}` | where to send receipts; absent if no receipts are wanted |
/// | `{account}`, `{secret}`, `{from}`, `{template}` | the settings |
/// | `{language}` | the one of the template's languages that is the user's |
///
/// Values are escaped for the place where they stand, so they never change the structure of a request.
public struct HTTPGatewayConfiguration: Sendable, Confidential {
    /// The operator's account at the provider. A value is required if the template needs it.
    public struct Account: Sendable, Confidential {
        /// The user, or another name of the account.
        public var name: String?
        /// The id of an API key, instead of the name.
        public var keyID: String?
        /// The password, token or key.
        public var secret: GatewaySecret?
        /// The sender of messages.
        public var sender: String?
        /// The id of a text that is registered with the provider.
        public var template: String?
        /// The languages of this text, such as `en_US`; the first one is for users of all others.
        public var languages: [String] = []
        /// The key of signatures.
        public var key: RSAPrivateKey?

        /// Creates an account without values.
        public init() {}

        /// Returns the language of the text for users of a language, which is a BCP 47 tag: the same one, or else one
        /// that differs only in the region.
        func language(for locale: String) -> String? {
            let parts = locale.split(separator: "-")
            // Meta names Chinese by regions.
            let region = parts.last == "Hant" ? "TW" : parts.last == "Hans" ? "CN" : parts.last ?? ""
            let exact = "\(parts.first ?? "")_\(region)"
            return languages.first { $0 == exact || $0 == locale }
                ?? languages.first { $0.prefix { $0 != "_" } == parts.first ?? "" } ?? languages.first
        }
    }

    private let template: HTTPGatewayTemplate
    private let account: Account
    private let url: TemplateText
    private let headers: [HeaderTemplate]
    /// Nil for a GET request.
    private let content: (type: String, body: TemplateBody)?
    private let checkURL: TemplateText?
    private let errors: GatewayErrors

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
        if template.authentication == .azure, Base64.decode(padded: (account.secret?.text ?? "").utf8) == nil {
            throw GatewayTemplateError(.secret, "the access key is not Base64")
        }
        self.template = template
        self.account = account
        self.url = try url(template.path)
        checkURL = try template.check.map(url)
        var headers = try HeaderTemplate.list(template.headers)
        let type = headers.firstIndex { $0.name.lowercased() == "content-type" }.map { headers.remove(at: $0) }
        self.headers = headers
        content =
            template.method == .get
            ? nil
            : (type?.value.start ?? template.content.mediaType, try TemplateBody(template.body, template.content))
        errors = try GatewayErrors(template.errors)
        try checkPlaceholders()
    }

    private func checkPlaceholders() throws(GatewayTemplateError) {
        let used = Set(url.placeholders + (content?.body.placeholders ?? []) + headers.flatMap(\.value.placeholders))
        let part = content == nil ? GatewayTemplateError.Part.url : .body
        guard used.contains(.to) || used.contains(.digits) else {
            throw GatewayTemplateError(part, "contains neither {to} nor {digits}")
        }
        guard !used.isDisjoint(with: [.text, .code, .speech]) else {
            throw GatewayTemplateError(part, "contains neither {text} nor {code}")
        }
        guard let receipts = template.receipts else { return }
        let identification = receipts.id == nil ? Placeholder.receiptURL : .id
        guard used.contains(identification) else {
            throw GatewayTemplateError(part, "does not contain {\(identification)}, which receipts need")
        }
    }

    private static func url(_ text: String) throws(GatewayTemplateError) -> TemplateText {
        let template = try TemplateText(text, in: .url)
        let hasPath = template.start.drop { $0 != "/" }.dropFirst(2).contains { $0 == "/" || $0 == "?" }
        do throws(GatewayConfigurationError) {
            guard template.placeholders.isEmpty || hasPath else { throw .malformedURL }
            _ = try GatewayURL(template.filled { _ in "0" })
        } catch {
            throw GatewayTemplateError(.url, "\(error)")
        }
        return template
    }

    /// Returns the request that sends a message.
    func request(_ message: OutgoingMessage, receiptURL: String?, at now: Instant) -> GatewayRequest {
        // Twilio takes at most 14,400.
        let seconds = min(max(message.validFor.components.seconds, template.leastSeconds), 14_400)
        return request(url, content, at: now) { placeholder in
            switch placeholder {
            case .to: message.phoneNumber
            case .digits: String(message.phoneNumber.dropFirst())
            case .text: message.text
            case .code: message.code
            case .locale: message.locale
            case .language: account.language(for: message.locale)
            case .speech: message.speech.text
            // Vonage has one locale for Arabic.
            case .voice:
                template.authentication == .vonage && message.speech.locale.hasPrefix("ar-")
                    ? "ar" : message.speech.locale
            case .id: message.id.text
            case .unicode: message.needsUnicode ? "1" : "0"
            case .alphabet: message.needsUnicode ? "unicode" : "text"
            case .seconds: String(seconds)
            case .expires: (now + .seconds(seconds)).utc
            case .milliseconds: String(now.milliseconds)
            case .receiptURL: receiptURL
            case .account, .secret, .from, .template: setting(placeholder)
            }
        }
    }

    /// Returns the request that checks the credentials, or one for the root of the server.
    func checkRequest(at now: Instant) -> GatewayRequest {
        checkURL.map { request($0, nil, at: now, setting) }
            ?? GatewayRequest(url: ServiceURL.origin(of: url.start) + "/")
    }

    private func setting(_ placeholder: Placeholder) -> String? {
        switch placeholder {
        case .account: account.name
        case .secret: account.secret?.text
        case .from: account.sender
        case .template: account.template
        default: nil
        }
    }

    private func request(
        _ url: TemplateText,
        _ content: (type: String, body: TemplateBody)?,
        at now: Instant,
        _ value: (Placeholder) -> String?
    ) -> GatewayRequest {
        var request = GatewayRequest(
            url: url.filled(value, escape: PercentEncoding.encode),
            contentType: content?.type,
            body: content?.body.filled(value) ?? [],
            headers: headers.map { ($0.name, $0.value.filled(value)) }
        )
        template.authentication.sign(&request, account, at: now)
        return request
    }

    /// Maps a response to an outcome.
    func outcome(_ answer: GatewayAnswer) -> GatewayOutcome {
        let fields = GatewayFields(answer.body)
        if let outcome = errors.outcome(answer, codes(fields)) { return outcome }
        guard let path = template.answerID else { return .accepted(nil) }
        let id = fields?[path]
        guard id != nil || errors.requiresCode else {
            return .uncertain(GatewayTrouble(.malformedAnswer, GatewayCode(answer.status)))
        }
        return .accepted(id.flatMap { GatewayMessageID($0) })
    }

    /// Maps the response to the request of a check to what is wrong.
    func fault(_ answer: GatewayAnswer) -> GatewayOutcome? {
        guard checkURL != nil else { return nil }
        let fields = GatewayFields(answer.body)
        guard answer.isSuccess else { return errors.outcome(answer, codes(fields)) }
        guard let credit = template.credit.flatMap({ fields?[$0] }).flatMap({ Double($0) }), credit <= 0 else {
            return nil
        }
        return .misconfigured(GatewayMisconfiguration(.noCredit))
    }

    private func codes(_ fields: GatewayFields?) -> [[String]] {
        (template.answerError ?? "").listed.compactMap { fields?.values($0) }
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
            let value = try TemplateText(pair[1], in: .headers)
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
}
