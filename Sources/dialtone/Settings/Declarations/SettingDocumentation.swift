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

/// The example settings file: every setting, with its description and its default or an example.
enum SettingsExample {
    static var text: String {
        let sections = SettingsTable.sections.map { section in
            let introduction = section.introduction.map { comment($0) + "\n" } ?? ""
            return "# --- \(section.title)\n" + introduction
                + section.settings.map(entry).joined(separator: "\n")
        }
        return header + "\n" + sections.joined(separator: "\n")
    }

    private static let header = comment(
        """
        Settings of Dialtone. Copy this file to /etc/dialtone/dialtone.conf, and fill in the settings that are not
        commented out. A line is NAME=value, without quotes. "#" starts a comment only at the start of a line. A setting
        with an empty value counts as not set. A setting that is commented out shows its default, or an example if its
        comment says so. Environment variables of the same names take precedence over the file. A secret can be in a
        file of its own, which NAME_FILE names. Workers read the settings when they start. Check them with: dialtone
        config check
        """
    )

    private static func entry(_ setting: any AnySetting) -> String {
        let documentation = setting.documentation
        let lines = documentation.example.values.map { owner, value in
            (documentation.isRequired && owner.isEmpty ? "" : "# ") + setting.examplePrefix
                + (owner.isEmpty ? "" : SettingName.part(owner)) + documentation.name + "=" + value + "\n"
        }
        let facts = documentation.facts
        return comment(documentation.summary) + (facts.isEmpty ? "" : comment(facts)) + lines.joined()
    }

    /// Returns comment lines of at most 120 characters that each begin with `# `.
    private static func comment(_ text: String) -> String {
        var lines = "#"
        var column = 1
        for word in text.split(whereSeparator: \.isWhitespace) {
            if column + 1 + word.count > 120 {
                lines += "\n#"
                column = 1
            }
            lines += " \(word)"
            column += 1 + word.count
        }
        return lines + "\n"
    }
}
