import TestServers
import Testing

@testable import ChallengePages

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
    func texts(_ language: Language) -> [String: String] {
        var texts: [String: String] = [:]
        for child in Mirror(reflecting: language.texts).children {
            texts[child.label ?? ""] = child.value as? String
        }
        return texts
    }

    @Test("every language has every text, and no text is left in English", arguments: Language.allCases)
    func complete(language: Language) {
        let english = texts(.english)
        let own = texts(language)
        #expect(own.count == english.count && english.count == 24)
        for (name, text) in own {
            #expect(!text.isEmpty && text.trimmingPrefix(while: \.isWhitespace) == text, "\(name)")
            #expect(text.last?.isWhitespace == false, "\(name)")
            if language != .english { #expect(text != english[name], "\(name) is English") }
        }
        #expect(Set(own.values).count == own.count, "two texts of one language are the same")
    }

    @Test("nginx's own page has the words of the workers'", arguments: Language.allCases)
    func nginx(language: Language) {
        let package = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
        let lines = readFile(package + "/nginx/dialtone-http.conf").split(separator: "\n")
        let rows = Set(lines.map { $0.split(separator: " ").joined(separator: " ") })
        let (texts, key) = (language.texts, language == .english ? "default" : language.tag)
        for text in [texts.failedHeading, texts.serverFailed, texts.tryAgain] {
            #expect(rows.contains("\(key) '\(text)';"))
        }
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
