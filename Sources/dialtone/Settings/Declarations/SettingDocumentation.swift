/// The text of a setting in the example file.
struct SettingDocumentation {
    /// What happens if a setting that has no default is missing.
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
    /// The allowed values, such as `1 to 512`; nil if the summary states them.
    let domain: String?
    /// What happens if the setting is missing; nil if the example is the default.
    let unset: Unset?
    /// The default in development mode; nil if it does not differ.
    let inDevelopmentMode: String?
    /// The value in the example file.
    let example: SettingExample

    /// Whether the setting is required.
    var isRequired: Bool {
        if case .required = unset { true } else { false }
    }

    /// The text that derives from the declaration, such as `Values: 1 to 512.`; may be empty.
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

/// A setting's values in the example file: one value, or one for each of several apps or gateways.
struct SettingExample: ExpressibleByStringInterpolation, ExpressibleByDictionaryLiteral {
    /// The name of the app or the gateway (empty for other settings), and the value.
    let values: [(owner: String, value: String)]

    init(stringLiteral value: String) {
        values = [("", value)]
    }

    init(dictionaryLiteral elements: (String, String)...) {
        values = elements.map { (owner: $0.0, value: $0.1) }
    }
}
