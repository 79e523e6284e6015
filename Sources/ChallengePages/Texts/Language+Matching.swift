extension Language {
    /// The page's language: that of `hl` if it is there, else the first of the browser's that the page speaks, else English.
    ///
    /// - Parameters:
    ///   - hl: the query's parameter; apps that set no language in the SDK send none.
    ///   - acceptLanguage: the header. Browsers name languages in the order in which their user likes them, so the weights say nothing
    ///     more.
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

    /// The language for a tag as `hl` gives it; English where none fits.
    ///
    /// Lookup by RFC 4647 § 3.4: the language decides, and for Chinese the script, or the region that implies one. `_` counts as `-`, as in
    /// identifiers of locales.
    ///
    /// - Parameter tag: of any case and length, or nil.
    public init(matching tag: String?) {
        self = Language(spoken: tag ?? "") ?? .english
    }

    private init?(spoken tag: String) {
        let parts = tag.lowercased().prefix(35).split { $0 == "-" || $0 == "_" }.map(String.init)
        switch parts.first {
        case "zh"?: self = Self.chinese(parts.dropFirst())
        // Java and Android keep the codes that ISO 639 withdrew in 1989.
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
