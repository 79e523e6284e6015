extension MessageTemplate {
    /// Parses and validates an operator's template.
    ///
    /// - Parameters:
    ///   - text: with `{code}` once and `{app}` at most once.
    ///   - hasAppName: whether there is a name for `{app}`.
    /// - Throws: the first fault found.
    init(override text: String, hasAppName: Bool) throws(TemplateFault) {
        guard text.unicodeScalars.count <= TemplateFault.maximumLength else { throw .tooLong }
        guard !text.unicodeScalars.contains(where: { $0.isControl && $0 != "\n" }) else { throw .controlCharacter }
        self.init(text)
        guard !parts.contains(where: \.hasBrace) else { throw .strayBrace }
        guard parts.contains(.code) else { throw .codeMissing }
        guard parts.count(where: { $0 == .code }) == 1 else { throw .codeRepeated }
        guard parts.count(where: { $0 == .app }) <= 1 else { throw .appRepeated }
        guard hasAppName || !parts.contains(.app) else { throw .appWithoutName }
    }
}

extension MessageTemplate.Part {
    fileprivate var hasBrace: Bool {
        guard case .literal(let text) = self else { return false }
        return text.unicodeScalars.contains { $0 == "{" || $0 == "}" }
    }
}
