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
        let name = try AppName(ofTexts: appName)
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
        let (forms, language) = forms(for: languages, ending)
        func message(_ template: MessageTemplate) -> MessageText {
            let text = template.filled(code: code, appName: appName)
            return MessageText(ending.map { "\(text)\n\($0.line(code: code))" } ?? text, language: language)
        }
        var best = message(forms.fullest)
        for form in forms.shorter where !fits(best, ending) {
            let shorter = message(form)
            if fits(shorter, ending) || shorter.size.segments < best.size.segments { best = shorter }
        }
        return best
    }

    /// Returns the message for a phone call, in the first of the user's languages that has a text, or in English if no
    /// voice speaks that language.
    ///
    /// - Parameters:
    ///   - code: six ASCII digits, which are spoken one by one.
    ///   - languages: the user's languages.
    /// - Returns: the text, and the locale of its voice.
    public func speech(code: String, languages: LanguagePreferences) -> (text: String, locale: String) {
        var (forms, language) = forms(for: languages, nil)
        var voice = SpeechVoices.locale(of: language)
        if voice == nil {
            (forms, language) = self.forms(for: LanguagePreferences([LanguageTag.english.description]), nil)
            voice = SpeechVoices.locale(of: language)
        }
        let digits = code.map(String.init).joined(separator: ", ")
        return (forms.fullest.filled(code: digits, appName: appName), voice ?? "en-US")
    }

    private func forms(
        for languages: LanguagePreferences,
        _ ending: MessageEnding?
    ) -> (forms: MessageForms, language: LanguageTag) {
        switch languages.choice(among: overrides, own: { MessageLanguage(rawValue: $0) }) {
        case .override(let template, let tag)?: (MessageForms(override: template), tag)
        case .own(let language)?: (forms(language, ending), LanguageTag(language.rawValue) ?? .english)
        case nil: (forms(.english, ending), .english)
        }
    }

    private func forms(_ language: MessageLanguage, _ ending: MessageEnding?) -> MessageForms {
        MessageForms(language.wording, hasAppName: appName != nil, mayDropName: ending?.maximumBytes != nil)
    }

    private func fits(_ message: MessageText, _ ending: MessageEnding?) -> Bool {
        message.size.segments == 1 && message.text.utf8.count <= ending?.maximumBytes ?? .max
    }
}

extension AppName {
    /// Validates a name if there is one.
    init?(ofTexts name: String?) throws(MessageTemplateError) {
        guard let name else { return nil }
        do throws(AppNameFault) {
            try self.init(name)
        } catch {
            throw .appName(error)
        }
    }
}

extension LanguagePreferences {
    /// The text for a user: an operator's, or Dialtone's own in a language.
    enum Choice<Override, Own> {
        case override(Override, LanguageTag)
        case own(Own)
    }

    /// Returns the text in the first of the user's languages that has one, else an English override, else nil. `own`
    /// returns the language of a tag if it has a built-in text.
    func choice<Override, Own>(
        among overrides: [LanguageTag: Override],
        own: (String) -> Own?
    ) -> Choice<Override, Own>? {
        for tag in tags {
            let fallbacks = tag.fallbacks
            for fallback in fallbacks {
                if let text = overrides[fallback] { return .override(text, fallback) }
            }
            for fallback in fallbacks {
                if let language = own(fallback.description) { return .own(language) }
            }
        }
        return overrides[.english].map { .override($0, .english) }
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
    /// A mail's override does not name its part.
    case mailPartUnknown(String)
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
        case .mailPartUnknown(let text):
            "\"\(text)\" is not a part of a mail, such as resetPassword.subject or resetPassword.text"
        case .template(let language, let fault):
            "the message template for the language \(language) cannot be used: \(fault)"
        }
    }
}

/// The languages in which voice gateways speak.
///
/// Twilio: "Text-to-Speech", section "Available voices and languages". Vonage: "Text to Speech", section "Supported
/// languages".
private enum SpeechVoices {
    /// The locale of the voice for texts in a language; nil if the gateways have none in common.
    static func locale(of language: LanguageTag) -> String? {
        locales[language.description] ?? locales[language.language]
    }

    private static let locales = [
        "ar": "ar-AE", "bg": "bg-BG", "bn": "bn-IN", "ca": "ca-ES", "cs": "cs-CZ", "da": "da-DK", "de": "de-DE",
        "el": "el-GR", "en": "en-US", "es": "es-ES", "fi": "fi-FI", "fil": "fil-PH", "fr": "fr-FR", "he": "he-IL",
        "hi": "hi-IN", "hu": "hu-HU", "id": "id-ID", "it": "it-IT", "ja": "ja-JP", "ko": "ko-KR", "lt": "lt-LT",
        "lv": "lv-LV", "ms": "ms-MY", "nb": "nb-NO", "nl": "nl-NL", "pl": "pl-PL", "pt": "pt-BR", "pt-PT": "pt-PT",
        "ro": "ro-RO", "ru": "ru-RU", "sk": "sk-SK", "sr": "sr-RS", "sv": "sv-SE", "ta": "ta-IN", "th": "th-TH",
        "tr": "tr-TR", "uk": "uk-UA", "vi": "vi-VN", "zh-Hans": "cmn-CN", "zh-Hant": "cmn-TW",
    ]
}
