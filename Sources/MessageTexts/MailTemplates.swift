internal import DialtoneTexts
public import Encodings

/// What a mail's link does, by the `mode` of the link.
public enum MailKind: String, Sendable, CaseIterable {
    case resetPassword
    case verifyEmail
    case signIn
    case changeEmail = "verifyAndChangeEmail"
    case recoverEmail
}

/// A mail's texts. They contain a link that grants access.
public struct MailText: Sendable, Confidential {
    /// The subject, on one line.
    public let subject: String
    /// The plain text.
    public let text: String
    /// The same text as an HTML document, with the subject as the text of its link.
    public let html: String
}

/// A project's mails in every language.
public struct MailTemplates: Sendable, Hashable {
    private struct Part: Hashable {
        let kind: MailKind
        let isSubject: Bool

        /// Parses `resetPassword.subject`.
        init?(_ text: some StringProtocol) {
            let words = text.split(separator: ".", omittingEmptySubsequences: false)
            guard words.count == 2, let kind = MailKind(rawValue: String(words[0])),
                ["subject", "text"].contains(words[1])
            else { return nil }
            self.init(kind, isSubject: words[1] == "subject")
        }

        init(_ kind: MailKind, isSubject: Bool) {
            self.kind = kind
            self.isSubject = isSubject
        }
    }

    /// The app's name, as the name of the sender; nil if there is none.
    public var senderName: String? { appName?.text }

    private let appName: AppName?
    private let overrides: [Part: [LanguageTag: Template<MailPlace>]]

    /// The built-in texts, without an app name.
    public static let nameless = MailTemplates(appName: nil, overrides: [:])

    private init(appName: AppName?, overrides: [Part: [LanguageTag: Template<MailPlace>]]) {
        self.appName = appName
        self.overrides = overrides
    }

    /// Validates a project's name and templates.
    ///
    /// - Parameters:
    ///   - appName: the name that mails show; nil for mails without a name.
    ///   - overrides: the operator's own subjects and texts: the language and the part, such as
    ///     `pt.resetPassword.subject`, and the template, in which `\n` is a line break. A text must have `{link}`.
    /// - Throws: the first fault.
    public init(
        appName: String? = nil,
        overrides: [(key: String, template: String)] = []
    ) throws(MessageTemplateError) {
        let name = try AppName(ofTexts: appName)
        var templates: [Part: [LanguageTag: Template<MailPlace>]] = [:]
        for (key, text) in overrides {
            let language = key.prefix { $0 != "." }
            guard let tag = LanguageTag(String(language)) else { throw .languageUnreadable(String(language)) }
            guard let part = Part(key.dropFirst(language.count + 1)) else { throw .mailPartUnknown(key) }
            guard templates[part]?[tag] == nil else { throw .languageRepeated(tag) }
            do throws(TemplateFault) {
                templates[part, default: [:]][tag] = try Self.template(part, text, hasAppName: name != nil)
            } catch {
                throw .template(language: tag, fault: error)
            }
        }
        self.init(appName: name, overrides: templates)
    }

    private static func template(
        _ part: Part,
        _ text: String,
        hasAppName: Bool
    ) throws(TemplateFault) -> Template<MailPlace> {
        let lines =
            part.isSubject
            ? text
            : text.split(separator: #"\n"#, omittingEmptySubsequences: false)
                .joined(separator: "\n")
        let template = try Template<MailPlace>(
            override: lines,
            required: part.isSubject ? nil : .link,
            hasAppName: hasAppName,
            maximumLength: part.isSubject ? 100 : 2000
        )
        // A link in a subject would be stored wherever subjects are shown.
        guard !part.isSubject || !template.parts.contains(.place(.link)) else { throw .strayBrace }
        return template
    }

    /// Returns the mail for a user.
    ///
    /// - Parameters:
    ///   - kind: what the link does.
    ///   - link: an absolute URL.
    ///   - email: the account's address; for a notice, the former one.
    ///   - newEmail: the other address, if the kind has one.
    ///   - languages: the user's languages.
    /// - Returns: the texts in the first of the languages that has them, else in English.
    public func mail(
        _ kind: MailKind,
        link: String,
        email: String,
        newEmail: String?,
        languages: LanguagePreferences
    ) -> MailText {
        let (subject, _) = choice(Part(kind, isSubject: true), languages)
        let (text, language) = choice(Part(kind, isSubject: false), languages)
        func value(_ place: MailPlace, in template: Template<MailPlace>) -> String {
            switch place {
            case .app: appName?.text(inRightToLeftText: template.isRightToLeft) ?? ""
            case .link: link
            case .email: template.isolated(email)
            case .newEmail: template.isolated(newEmail ?? email)
            }
        }
        let title = subject.filled { value($0, in: subject) }
        let body = text.filled(literal: { $0.escapedHTML.withParagraphs }) { place in
            let value = value(place, in: text).escapedHTML
            return place == .link ? "<a href=\"\(value)\">\(title.escapedHTML)</a>" : value
        }
        let direction = text.isRightToLeft ? "rtl" : "ltr"
        return MailText(
            subject: title,
            text: text.filled { value($0, in: text) },
            html: """
                <!DOCTYPE html>
                <html lang="\(language)" dir="\(direction)">
                <head><meta charset="utf-8"><title>\(title.escapedHTML)</title></head>
                <body style="font: 16px/1.5 sans-serif"><p>\(body)</p></body>
                </html>

                """
        )
    }

    /// Returns a part's template in the first of the user's languages that has one, else in English, and its language.
    private func choice(_ part: Part, _ languages: LanguagePreferences) -> (Template<MailPlace>, language: String) {
        switch languages.choice(among: overrides[part] ?? [:], own: { Language(rawValue: $0) }) {
        case .override(let override, let tag)?: return (override, tag.description)
        case .own(let language)?: return (own(part, language), language.tag)
        case nil: return (own(part, .english), Language.english.tag)
        }
    }

    private func own(_ part: Part, _ language: Language) -> Template<MailPlace> {
        let wording = language.mails
        let phrase = wording.phrase(part.kind)
        if part.isSubject { return Template(appName == nil ? phrase.subject : "{app}: \(phrase.subject)") }
        var paragraphs = [phrase.text, "{link}"]
        if part.kind != .recoverEmail { paragraphs.append(wording.unrequested) }
        if appName != nil { paragraphs.append("{app}") }
        return Template(paragraphs.joined(separator: "\n\n"))
    }
}

/// The placeholders of a mail.
private enum MailPlace: String, TemplatePlace {
    case app
    case link
    case email
    case newEmail
}

extension Template<MailPlace> {
    /// Returns an address for the text, isolated in right-to-left text (UAX #9).
    fileprivate func isolated(_ address: String) -> String { isRightToLeft ? "\u{2068}\(address)\u{2069}" : address }
}

extension MailWording {
    fileprivate func phrase(_ kind: MailKind) -> Phrase {
        switch kind {
        case .resetPassword: resetPassword
        case .verifyEmail: verifyEmail
        case .signIn: signIn
        case .changeEmail: changeEmail
        case .recoverEmail: recoverEmail
        }
    }
}

extension String {
    /// The text for use between tags and in quoted attributes.
    fileprivate var escapedHTML: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    fileprivate var withParagraphs: String {
        split(separator: "\n\n", omittingEmptySubsequences: false)
            .map { $0.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "<br>") }
            .joined(separator: "</p>\n<p>")
    }
}
