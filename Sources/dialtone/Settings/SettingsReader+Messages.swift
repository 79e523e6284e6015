import MessageTexts

/// What messages say.
extension SettingsReader {
    func messages(of project: String) throws(Failure) -> MessageTemplates {
        let fileKey = "project.\(project).messageFile"
        let file = source.text(fileKey)
        let overrides = try file.map { path throws(Failure) in try templates(path) } ?? []
        do throws(MessageTemplateError) {
            return try MessageTemplates(appName: source.text("project.\(project).name"), overrides: overrides)
        } catch {
            if case .appName = error { throw Failure("\(SettingName.shown("project.\(project).name")): \(error)") }
            throw Failure("\(file ?? SettingName.shown(fileKey)): \(error)")
        }
    }

    /// Lines of the form `language=template`; empty ones and those that begin with `#` are passed over.
    private func templates(_ path: String) throws(Failure) -> [(language: String, template: String)] {
        var templates: [(language: String, template: String)] = []
        let text = String(decoding: try readFile(path), as: UTF8.self)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where !line.isEmpty && !line.hasPrefix("#") {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { throw Failure("\(path):\(index + 1): expected language=template") }
            templates.append((String(parts[0]), String(parts[1])))
        }
        return templates
    }
}
