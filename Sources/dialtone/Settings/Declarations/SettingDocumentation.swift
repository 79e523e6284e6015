/// The text of a setting in the example file.
struct SettingDocumentation {
    /// What happens without a setting that has no default.
    enum Unset: ExpressibleByStringLiteral {
        /// The deployment does not start.
        case required
        /// The text, which completes a sentence that begins with "Default:".
        case means(String)

        init(stringLiteral text: String) { self = .means(text) }
    }

    /// The name without the prefix of its scope.
    let name: String
    /// What the setting does.
    let summary: String
    /// The allowed values, such as `1 to 512`; nil if the summary names them.
    let domain: String?
    /// What happens without the setting; nil if the example is the default.
    let unset: Unset?
    /// The default in development mode; nil if it is the same.
    let inDevelopmentMode: String?
    /// The value in the example file.
    let example: SettingExample

    /// Whether the setting is required.
    var isRequired: Bool {
        if case .required = unset { true } else { false }
    }

    /// The text that derives from the declaration, such as `Values: 1 to 512.`; empty if there is none.
    var facts: String {
        var sentences: [String] = []
        if isRequired { sentences.append("Required.") }
        if let domain { sentences.append("Values: \(domain).") }
        if case .means(let text) = unset { sentences.append("Default: \(text).") }
        if let inDevelopmentMode { sentences.append("Default in development mode: \(inDevelopmentMode).") }
        if !isRequired, unset != nil, example.values.contains(where: { !$0.value.isEmpty }) {
            sentences.append("Example:")
        }
        return sentences.joined(separator: " ")
    }
}

/// The example file's values of a setting: one, or one for each of several apps or gateways.
struct SettingExample: ExpressibleByStringInterpolation, ExpressibleByDictionaryLiteral {
    /// The name of the app or gateway (empty for other settings), and the value.
    let values: [(owner: String, value: String)]

    init(stringLiteral value: String) {
        values = [("", value)]
    }

    init(dictionaryLiteral elements: (String, String)...) {
        values = elements.map { (owner: $0.0, value: $0.1) }
    }
}
