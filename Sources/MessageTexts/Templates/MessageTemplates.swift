/// What a project's messages say, in every language.
///
/// A message is given in the fullest form that fits one segment: code, owner and the advice not to share it, or only code and owner. Where
/// neither fits, such as for a long name before a long host, it is the form with the fewest segments.
public struct MessageTemplates: Sendable, Hashable {
    private let appName: AppName?
    private let overrides: [LanguageTag: MessageTemplate]

    /// Our own texts, which name no app.
    public static let nameless = MessageTemplates(appName: nil, overrides: [:])

    private init(appName: AppName?, overrides: [LanguageTag: MessageTemplate]) {
        self.appName = appName
        self.overrides = overrides
    }

    /// Proves a project's name and templates.
    ///
    /// - Parameters:
    ///   - appName: the name that messages are sent in, 1 to 40 code points, trimmed; nil for messages that name no app.
    ///   - overrides: the operator's own templates, which come before ours, also for languages that we have no text for. `{code}` stands
    ///     for the code, `{app}` for the name. One for `pt` serves `pt-PT` too, unless that has its own.
    /// - Throws: the first fault, naming the language.
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

    /// The message that tells a code.
    ///
    /// An operator's template is never shortened: with an ending it may have more than one segment, and more than SMS Retriever's 140
    /// bytes. A message of ours with SMS Retriever's ending always keeps to them, if need be without the name.
    ///
    /// - Parameters:
    ///   - code: six ASCII digits.
    ///   - languages: what the user reads.
    ///   - ending: for machines; nil for none.
    /// - Returns: the message, measured.
    public func message(code: String, languages: LanguagePreferences, ending: MessageEnding? = nil) -> MessageText {
        let forms = choice(for: languages).forms(hasAppName: appName != nil, mayDropName: ending?.maximumBytes != nil)
        var best = message(forms.fullest, code, ending)
        for form in forms.shorter where !fits(best, ending) {
            let shorter = message(form, code, ending)
            if fits(shorter, ending) || shorter.size.segments < best.size.segments { best = shorter }
        }
        return best
    }

    /// The language that a message to this user is in: the first of theirs that there is a text for, else English.
    public func language(for languages: LanguagePreferences) -> LanguageTag { choice(for: languages).tag }

    private func choice(for languages: LanguagePreferences) -> Choice {
        for tag in languages.tags {
            let fallbacks = tag.fallbacks
            for fallback in fallbacks {
                if let template = overrides[fallback] { return Choice(tag: fallback, source: .override(template)) }
            }
            for fallback in fallbacks {
                if let language = MessageLanguage(fallback) { return Choice(tag: fallback, source: .own(language)) }
            }
        }
        let source = overrides[.english].map(Choice.Source.override) ?? .own(.english)
        return Choice(tag: .english, source: source)
    }

    private func message(_ template: MessageTemplate, _ code: String, _ ending: MessageEnding?) -> MessageText {
        let text = template.filled(code: code, appName: appName)
        return MessageText(ending.map { "\(text)\n\($0.line(code: code))" } ?? text)
    }

    private func fits(_ message: MessageText, _ ending: MessageEnding?) -> Bool {
        message.size.segments == 1 && message.text.utf8.count <= ending?.maximumBytes ?? .max
    }
}

/// Whose text a user gets.
private struct Choice {
    enum Source {
        case override(MessageTemplate)
        case own(MessageLanguage)
    }

    let tag: LanguageTag
    let source: Source

    func forms(hasAppName: Bool, mayDropName: Bool) -> MessageForms {
        switch source {
        case .override(let template): MessageForms(override: template)
        case .own(let language): MessageForms(language.wording, hasAppName: hasAppName, mayDropName: mayDropName)
        }
    }
}
