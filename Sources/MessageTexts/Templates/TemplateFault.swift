/// Why an operator's template is invalid.
public enum TemplateFault: Error, Equatable {
    /// `{code}` does not occur.
    case codeMissing
    /// `{code}` occurs more than once.
    case codeRepeated
    /// `{app}` occurs more than once.
    case appRepeated
    /// `{app}` occurs, but the project has no app name.
    case appWithoutName
    /// A brace that is not part of `{code}` or `{app}`.
    case strayBrace
    /// A control character other than the line feed.
    case controlCharacter
    /// More code points than ``maximumLength``.
    case tooLong

    /// The maximum length, in Unicode code points.
    public static let maximumLength = 500
}

extension TemplateFault: CustomStringConvertible {
    /// The fault, worded as the end of a sentence.
    public var description: String {
        switch self {
        case .codeMissing: "it does not contain {code}"
        case .codeRepeated: "it contains {code} more than once"
        case .appRepeated: "it contains {app} more than once"
        case .appWithoutName: "it contains {app}, but no app name is configured"
        case .strayBrace: "it contains a brace that belongs to neither {code} nor {app}"
        case .controlCharacter: "it contains a control character other than a line feed"
        case .tooLong: "it has more than \(Self.maximumLength) characters"
        }
    }
}
