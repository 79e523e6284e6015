/// What the example file says of a setting.
struct SettingDocumentation {
    /// What happens without a setting that has no default.
    enum Unset: ExpressibleByStringLiteral {
        /// Nothing works.
        case required
        /// The text says it, as the end of a sentence that begins with "Default:".
        case means(String)

        init(stringLiteral text: String) { self = .means(text) }
    }

    /// The name without the prefix of its scope.
    let name: String
    /// What it does.
    let summary: String
    /// Which values it can have, such as `1 to 512`; nil if the summary says it.
    let domain: String?
    /// What happens without the setting; nil if the example is the default.
    let unset: Unset?
    /// The default in development mode; nil if the mode makes no difference.
    let inDevelopmentMode: String?
    /// What the example file shows.
    let example: SettingExample

    /// Whether a deployment cannot do without it.
    var isRequired: Bool {
        if case .required = unset { true } else { false }
    }

    /// What follows from the declaration, such as `Values: 1 to 512.`; empty if nothing does.
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

/// The values that the example file shows for a setting: one, or one for each of several apps or gateways.
struct SettingExample: ExpressibleByStringInterpolation, ExpressibleByDictionaryLiteral {
    /// The name of the app or gateway, which is empty for other settings, and the value.
    let values: [(owner: String, value: String)]

    init(stringLiteral value: String) {
        values = [("", value)]
    }

    init(dictionaryLiteral elements: (String, String)...) {
        values = elements.map { (owner: $0.0, value: $0.1) }
    }
}
