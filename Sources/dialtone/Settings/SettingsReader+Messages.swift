import MessageTexts

extension SettingsReader<ProjectValues> {
    /// Returns the message templates.
    func messages() throws(FaultySetting) -> MessageTemplates {
        let file = self.messageFile
        let overrides = try file.map { path throws(FaultySetting) in try templates(path) } ?? []
        do throws(MessageTemplateError) {
            return try MessageTemplates(appName: self.appName, overrides: overrides)
        } catch {
            if case .appName = error { throw fault(\.appName, .because("\(error)")) }
            throw fault(\.messageFile, .because("\(error)"))
        }
    }

    /// Reads lines of the form `language=template`. Empty lines and lines that begin with `#` are skipped.
    private func templates(_ path: String) throws(FaultySetting) -> [(language: String, template: String)] {
        var templates: [(language: String, template: String)] = []
        let text = String(decoding: try self.file(path, \.messageFile), as: UTF8.self)
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
        where !line.isEmpty && !line.hasPrefix("#") {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else {
                throw fault(\.messageFile, .because("line \(index + 1) is not language=template"))
            }
            templates.append((String(parts[0]), String(parts[1])))
        }
        return templates
    }
}
