extension Language {
    /// Selects a page's language: `hl` if present, else the first supported language of `Accept-Language`, else
    /// English.
    ///
    /// - Parameters:
    ///   - hl: the query parameter; apps that set no language in the SDK send none.
    ///   - acceptLanguage: the header. Browsers list languages in order of preference, so the weights are ignored.
    public init(hl: String?, acceptLanguage: String?) {
        if let hl, !hl.isEmpty {
            self.init(matching: hl)
            return
        }
        let tags = (acceptLanguage ?? "").prefix(512).split(separator: ",").map { entry in
            entry.prefix { $0 != ";" }.filter { $0 != " " }
        }
        self = tags.lazy.compactMap { Language(spoken: $0) }.first ?? .english
    }

    /// Selects the language for a tag as in `hl`; English if none matches.
    ///
    /// Lookup follows RFC 4647 § 3.4. The language subtag decides; for Chinese also the script, or the region that
    /// implies a script. `_` counts as `-`, as in locale identifiers.
    ///
    /// - Parameter tag: of any case and length, or nil.
    public init(matching tag: String?) {
        self = Language(spoken: tag ?? "") ?? .english
    }

    private init?(spoken tag: String) {
        let parts = tag.lowercased().prefix(35).split { $0 == "-" || $0 == "_" }.map(String.init)
        switch parts.first {
        case "zh"?: self = Self.chinese(parts.dropFirst())
        // Java and Android still use the codes that ISO 639 withdrew in 1989.
        case "iw"?: self = .hebrew
        case "in"?: self = .indonesian
        case let language?: self.init(rawValue: language)
        case nil: return nil
        }
    }

    private static func chinese(_ subtags: ArraySlice<String>) -> Language {
        if subtags.contains("hant") { return .traditionalChinese }
        if subtags.contains("hans") { return .simplifiedChinese }
        return subtags.contains { ["tw", "hk", "mo"].contains($0) } ? .traditionalChinese : .simplifiedChinese
    }
}
