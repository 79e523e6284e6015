extension LanguageTag {
    /// The tag itself and those whose text its reader takes as well, best first: `pt-BR`, `pt`.
    ///
    /// Lookup by RFC 4647 § 3.4, except that a script which is not the language's usual one is kept, and that Portuguese outside of Brazil
    /// prefers Portugal's (the parent locales of Unicode CLDR).
    var fallbacks: [LanguageTag] {
        var tags = [self]
        if script != nil, region != nil { tags.append(LanguageTag(language: language, script: script)) }
        switch language {
        case "zh": break
        case "sr": tags.append(LanguageTag(language: "sr", script: script == "Latn" ? "Latn" : nil))
        default:
            if let region { tags.append(LanguageTag(language: language, region: region)) }
            if isEuropeanPortuguese { tags.append(LanguageTag(language: "pt", region: "PT")) }
            tags.append(LanguageTag(language: language))
        }
        switch language {
        // Who reads Nynorsk reads Bokmål, and written Cantonese is read by those who read traditional Chinese.
        case "nn": tags.append(LanguageTag(language: "nb"))
        case "yue": tags.append(LanguageTag(language: "zh", script: script == "Hans" ? "Hans" : "Hant"))
        default: break
        }
        return tags
    }

    private var isEuropeanPortuguese: Bool {
        let regions = ["AO", "CH", "CV", "FR", "GQ", "GW", "LU", "MO", "MZ", "PT", "ST", "TL"]
        return language == "pt" && regions.contains(region ?? "")
    }
}
