extension LanguageTag {
    /// The tag itself, and tags of other texts that its readers also accept, best first: `pt-BR`, `pt`.
    ///
    /// Lookup follows RFC 4647 § 3.4, with two exceptions: a script that is not the language's usual one is kept, and
    /// Portuguese outside of Brazil prefers European Portuguese (the parent locales of Unicode CLDR).
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
        // Readers of Nynorsk read Bokmål; readers of written Cantonese read traditional Chinese.
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
