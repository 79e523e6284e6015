import MessageTexts

extension SettingsReader<ProjectValues> {
    /// Returns the message templates.
    func messages() throws(Failure) -> MessageTemplates {
        let file = self.messageFile
        let overrides = try file.map { path throws(Failure) in try templates(path) } ?? []
        do throws(MessageTemplateError) {
            return try MessageTemplates(appName: self.appName, overrides: overrides)
        } catch {
            if case .appName = error { throw fault(\.appName, .because("\(error)")) }
            throw Failure("\(file ?? name(of: \.messageFile)): \(error)")
        }
    }

    /// Reads lines of the form `language=template`. Empty lines and lines that begin with `#` are skipped.
    private func templates(_ path: String) throws(Failure) -> [(language: String, template: String)] {
        var templates: [(language: String, template: String)] = []
        let text = String(decoding: try readFile(path), as: UTF8.self)
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
        where !line.isEmpty && !line.hasPrefix("#") {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { throw Failure("\(path):\(index + 1): the line is not language=template") }
            templates.append((String(parts[0]), String(parts[1])))
        }
        return templates
    }
}
