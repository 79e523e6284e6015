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
        Settings of Dialtone. Copy this file to /etc/dialtone/dialtone.conf with mode 0600, and fill in the settings
        that are not commented out. A line is NAME=value, without quotes. "#" starts a comment only at the start of a
        line. A setting with an empty value counts as not set. A setting that is commented out shows its default, or an
        example if its comment says so. Environment variables of the same names take precedence over the file. Workers
        read the settings when they start. Check them with: dialtone config check --config /etc/dialtone/dialtone.conf
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
