internal import DialtoneTexts

/// A project's message texts in every language.
///
/// A message has the fullest form that fits one segment: code, app name and the advice not to share the code, or only
/// code and app name. If neither fits, for example because of a long name and a long host, it has the form with the
/// fewest segments.
public struct MessageTemplates: Sendable, Hashable {
    private let appName: AppName?
    private let overrides: [LanguageTag: MessageTemplate]

    /// The built-in texts, without an app name.
    public static let nameless = MessageTemplates(appName: nil, overrides: [:])

    private init(appName: AppName?, overrides: [LanguageTag: MessageTemplate]) {
        self.appName = appName
        self.overrides = overrides
    }

    /// Validates a project's name and templates.
    ///
    /// - Parameters:
    ///   - appName: the name that messages show, 1 to 40 code points, trimmed; nil for messages without a name.
    ///   - overrides: the operator's own templates, which replace the built-in ones and may add languages. `{code}`
    ///     stands for the code, `{app}` for the name. A template for `pt` also serves `pt-PT`, unless `pt-PT` has its
    ///     own.
    /// - Throws: the first fault, with its language.
    public init(
        appName: String? = nil,
        overrides: [(language: String, template: String)] = []
    ) throws(MessageTemplateError) {
        let name = try Self.named(appName)
        var templates: [LanguageTag: MessageTemplate] = [:]
        for (language, template) in overrides {
            guard let tag = LanguageTag(language) else { throw .languageUnreadable(language) }
            guard templates[tag] == nil else { throw .languageRepeated(tag) }
            do throws(TemplateFault) {
                templates[tag] = try MessageTemplate(override: template, hasAppName: appName != nil)
            } catch {
                throw .template(language: tag, fault: error)
            }
        }
        self.init(appName: name, overrides: templates)
    }

    private static func named(_ appName: String?) throws(MessageTemplateError) -> AppName? {
        guard let appName else { return nil }
        do throws(AppNameFault) {
            return try AppName(appName)
        } catch {
            throw .appName(error)
        }
    }

    /// Returns the message that contains a code.
    ///
    /// An operator's template is never shortened: with an ending, it may need more than one segment and exceed SMS
    /// Retriever's 140 bytes. A built-in message with SMS Retriever's ending always fits, if necessary without the
    /// name.
    ///
    /// - Parameters:
    ///   - code: six ASCII digits.
    ///   - languages: the user's languages.
    ///   - ending: for WebOTP or SMS Retriever autofill; nil for none.
    /// - Returns: the message, with its size.
    public func message(code: String, languages: LanguagePreferences, ending: MessageEnding? = nil) -> MessageText {
        let forms = choice(for: languages).forms(hasAppName: appName != nil, mayDropName: ending?.maximumBytes != nil)
        var best = message(forms.fullest, code, ending)
        for form in forms.shorter where !fits(best, ending) {
            let shorter = message(form, code, ending)
            if fits(shorter, ending) || shorter.size.segments < best.size.segments { best = shorter }
        }
        return best
    }

    /// Returns the text for a user: in the first of their languages that has one, else in English.
    private func choice(for languages: LanguagePreferences) -> Choice {
        for tag in languages.tags {
            let fallbacks = tag.fallbacks
            for fallback in fallbacks {
                if let template = overrides[fallback] { return .override(template) }
            }
            for fallback in fallbacks {
                if let language = MessageLanguage(rawValue: fallback.description) { return .own(language) }
            }
        }
        return overrides[.english].map(Choice.override) ?? .own(.english)
    }

    private func message(_ template: MessageTemplate, _ code: String, _ ending: MessageEnding?) -> MessageText {
        let text = template.filled(code: code, appName: appName)
        return MessageText(ending.map { "\(text)\n\($0.line(code: code))" } ?? text)
    }

    private func fits(_ message: MessageText, _ ending: MessageEnding?) -> Bool {
        message.size.segments == 1 && message.text.utf8.count <= ending?.maximumBytes ?? .max
    }
}

/// The text for a user.
private enum Choice {
    case override(MessageTemplate)
    case own(MessageLanguage)

    func forms(hasAppName: Bool, mayDropName: Bool) -> MessageForms {
        switch self {
        case .override(let template): MessageForms(override: template)
        case .own(let language): MessageForms(language.wording, hasAppName: hasAppName, mayDropName: mayDropName)
        }
    }
}

/// Why an operator's message texts are invalid.
public enum MessageTemplateError: Error, Equatable {
    /// The app name is invalid.
    case appName(AppNameFault)
    /// An override's language is not a BCP 47 tag.
    case languageUnreadable(String)
    /// Two overrides have the same language, which is given in canonical form.
    case languageRepeated(LanguageTag)
    /// An override's template is invalid.
    case template(language: LanguageTag, fault: TemplateFault)
}

extension MessageTemplateError: CustomStringConvertible {
    /// One line for the operator.
    public var description: String {
        switch self {
        case .appName(let fault): fault.description
        case .languageUnreadable(let text): "\"\(text)\" is not a language tag (BCP 47)"
        case .languageRepeated(let language): "there are two message templates for the language \(language)"
        case .template(let language, let fault):
            "the message template for the language \(language) cannot be used: \(fault)"
        }
    }
}
