import DialtoneTexts
import Testing

@Suite struct LanguageTests {
    @Test(
        "a language tag selects its language",
        arguments: [
            ("en", Language.english), ("pt", .portuguese), ("pt-BR", .portuguese), ("pt_PT", .portuguese),
            ("zh", .simplifiedChinese), ("zh-CN", .simplifiedChinese), ("zh-SG", .simplifiedChinese),
            ("zh-Hans-TW", .simplifiedChinese), ("zh-TW", .traditionalChinese), ("zh-HK", .traditionalChinese),
            ("zh_MO", .traditionalChinese), ("zh-Hant", .traditionalChinese), ("ZH-HANT-CN", .traditionalChinese),
            ("iw", .hebrew), ("he-IL", .hebrew), ("in", .indonesian), ("id-ID", .indonesian), ("es-419", .spanish),
            ("de-AT", .german), ("ar-EG", .arabic), ("tlh", .english), ("", .english), ("-", .english), ("e", .english),
            ("ja-JP-u-ca-japanese", .japanese), (String(repeating: "fr-", count: 1_000), .french),
        ]
    )
    func matching(tag: String, expected: Language) {
        #expect(Language(matching: tag) == expected)
        #expect(Language(matching: nil) == .english)
    }

    @Test(
        "without hl, the first supported language of Accept-Language is used",
        arguments: [
            (nil, "pt-BR,pt;q=0.9,en;q=0.8", Language.portuguese), (nil, "tlh, he-IL;q=0.5", .hebrew),
            (nil, "", .english),
            (nil, nil, .english), ("de", "fr", .german), ("tlh", "fr", .english), ("", "fr", .french),
            (nil, "*", .english),
            (nil, String(repeating: ",;", count: 10_000), .english),
        ] as [(String?, String?, Language)]
    )
    func preferred(hl: String?, acceptLanguage: String?, expected: Language) {
        #expect(Language(hl: hl, acceptLanguage: acceptLanguage) == expected)
    }

    /// Returns a language's texts by name.
    private func texts(_ language: Language) -> [String: String] {
        let shared = SharedText.allCases.map { ($0.rawValue, language.text($0)) }
        return Dictionary(uniqueKeysWithValues: shared + PageText.allCases.map { ($0.rawValue, language.text($0)) })
    }

    private func placeholders(_ text: String) -> [Substring] {
        text.split(separator: "{", omittingEmptySubsequences: false).dropFirst()
            .compactMap { $0.split(separator: "}").first }.sorted()
    }

    @Test("each text has the placeholders of English, and none is left in English", arguments: Language.allCases)
    func complete(language: Language) {
        let (english, own) = (texts(.english), texts(language))
        for (name, text) in own {
            #expect(!text.isEmpty && text.first?.isWhitespace == false && text.last?.isWhitespace == false, "\(name)")
            #expect(placeholders(text) == placeholders(english[name] ?? ""), "\(name)")
            // Loanwords.
            if language != .english, !["code", "password", "name"].contains(name) {
                #expect(text != english[name], "\(name) is English")
            }
        }
        #expect(Set(SharedText.allCases.map { language.text($0) }).count == SharedText.allCases.count)
        #expect(Set(PageText.allCases.map { language.text($0) }).count == PageText.allCases.count)
    }

    @Test("each language uses its own script", arguments: Language.allCases)
    func scripts(language: Language) {
        let ranges: [ClosedRange<UInt32>] =
            switch language {
            case .hebrew: [0x0590...0x05FF]
            case .arabic: [0x0600...0x06FF]
            case .hindi: [0x0900...0x097F]
            case .russian: [0x0400...0x04FF]
            case .korean: [0xAC00...0xD7A3]
            case .japanese: [0x3040...0x30FF, 0x4E00...0x9FFF]
            case .traditionalChinese, .simplifiedChinese: [0x4E00...0x9FFF]
            default: [0x41...0x24F]
            }
        for (name, text) in texts(language) {
            #expect(text.unicodeScalars.contains { scalar in ranges.contains { $0.contains(scalar.value) } }, "\(name)")
        }
    }

    @Test("Hebrew and Arabic are right-to-left, all other languages left-to-right", arguments: Language.allCases)
    func direction(language: Language) {
        #expect(language.direction == ([.hebrew, .arabic].contains(language) ? "rtl" : "ltr"))
    }
}
