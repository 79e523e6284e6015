import Testing

@testable import MessageTexts

@Suite struct LanguageTagTests {
    @Test(
        "a tag is read in every form that clients send",
        arguments: [
            ("en", "en"), ("EN", "en"), ("pt-BR", "pt-BR"), ("pt_br", "pt-BR"), ("es-419", "es-419"), (" de ", nil),
            ("zh", "zh-Hans"), ("zh-CN", "zh-Hans-CN"), ("zh-SG", "zh-Hans-SG"), ("zh_TW", "zh-Hant-TW"),
            ("zh-HK", "zh-Hant-HK"),
            ("zh-MO", "zh-Hant-MO"), ("zh-Hant", "zh-Hant"), ("ZH-HANS-TW", "zh-Hans-TW"),
            ("zh_TW_#Hant", "zh-Hant-TW"),
            ("zh__#Hant", "zh-Hant"), ("cmn-Hant", "zh-Hant"), ("yue-HK", "yue-HK"),
            ("iw", "he"), ("iw-IL", "he-IL"), ("in_ID", "id-ID"), ("ji", "yi"), ("jw", "jv"), ("no", "nb"),
            ("no-bok", "nb"), ("tl", "fil"),
            ("mo", "ro"), ("sr", "sr"), ("sr-Cyrl-RS", "sr-RS"), ("sr-Latn", "sr-Latn"), ("sr_RS_#Latn", "sr-Latn-RS"),
            ("sr-ME", "sr-Latn-ME"), ("sr-Cyrl-ME", "sr-Cyrl-ME"), ("sh", "sr-Latn"), ("de_DE.UTF-8", "de-DE"),
            ("sr_RS@latin", "sr-RS"),
            ("de-CH-1996", "de-CH"), ("ja-JP-u-ca-japanese", "ja-JP"), ("en-x-twain-us", "en"), ("hi-Latn", "hi-Latn"),
            ("", nil), ("-", nil), ("e", nil), ("i-klingon", nil), ("x-private", nil), ("C", nil), ("POSIX", nil),
            ("*", nil),
            ("12", nil), ("ñu", nil), ("en\u{0}", nil), ("{app}", nil), ("null", nil), ("undefined", nil),
        ] as [(String, String?)]
    )
    func parsing(text: String, expected: String?) {
        #expect(LanguageTag(text)?.description == expected)
    }

    @Test(
        "a canonical tag round-trips",
        arguments: ["pt-BR", "zh-Hans", "zh-Hant-TW", "sr", "sr-Cyrl-ME", "sr-Latn-ME", "yue-HK", "he"]
    )
    func canonical(text: String) throws {
        let tag = try #require(LanguageTag(text))
        #expect(LanguageTag(tag.description) == tag)
    }

    @Test(
        "a tag falls back step by step, never to another script of Chinese or Serbian",
        arguments: [
            ("pt-BR", ["pt-BR", "pt"]), ("pt", ["pt"]), ("pt-AO", ["pt-AO", "pt-PT", "pt"]),
            ("zh-TW", ["zh-Hant-TW", "zh-Hant"]), ("zh", ["zh-Hans"]), ("sr-Latn-RS", ["sr-Latn-RS", "sr-Latn"]),
            ("sr-RS", ["sr-RS", "sr"]), ("sr-Cyrl-ME", ["sr-Cyrl-ME", "sr-Cyrl", "sr"]),
            ("nn-NO", ["nn-NO", "nn", "nb"]), ("yue-HK", ["yue-HK", "yue", "zh-Hant"]),
            ("yue-Hans", ["yue-Hans", "yue", "zh-Hans"]),
            ("hi-Latn-IN", ["hi-Latn-IN", "hi-Latn", "hi-IN", "hi"]),
        ]
    )
    func fallback(text: String, expected: [String]) throws {
        let tag = try #require(LanguageTag(text))
        var distinct: [String] = []
        for tag in tag.fallbacks.map(\.description) where !distinct.contains(tag) { distinct.append(tag) }
        #expect(distinct == expected)
    }
}
