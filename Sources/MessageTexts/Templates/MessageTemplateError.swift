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
