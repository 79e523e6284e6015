import Testing

@testable import MessageTexts

@Suite struct LanguagePreferencesTests {
    @Test(
        "one parser reads single tags and weighted lists",
        arguments: [
            (["pt-BR"], "pt-BR"), (["zh_TW"], "zh-Hant-TW"), ([], ""), ([""], ""), (["de", "fr"], "de,fr"),
            (["pt-BR,pt;q=0.9,en;q=0.8"], "pt-BR,pt,en"), (["en;q=0.1, de;q=0.9"], "de,en"),
            (["da, en-GB;q=0.8, en;q=0.7"], "da,en-GB,en"),
            (["en;q=0.5,de;q=0.5,fr;q=0.5"], "en,de,fr"), (["de;q=0,en"], "en"), (["de;q=0.000"], ""),
            (["de;q=0.001,en;q=0"], "de"),
            (["en; q=0.2 ,\tfr ; Q=0.3"], "fr,en"), (["en;q=x,fr"], "en,fr"), (["en;q=,fr;q=2"], "en,fr"),
            (["fr;q=0.9999,en;q=0.5"], "fr,en"),
            (["en;level=1;q=0.3,fr"], "fr,en"), (["en;q=1.5,fr;q=0.9"], "en,fr"), (["*"], ""), (["*;q=0.5,it"], "it"),
            (["fr", "en;q=0.1,fr,de"], "fr,de,en"), (["fr,fr,FR,fr-FR"], "fr,fr-FR"), (["garbage", "he"], "he"),
            ([",,;,;q=1,"], ""),
        ] as [([String], String)]
    )
    func parsing(values: [String], expected: String) {
        #expect(LanguagePreferences(values).text == expected)
    }

    @Test("the list stays short, however long the header")
    func bounds() {
        let letters = "abcdefghijklmnopqrstuvwxyz"
        let tags = letters.flatMap { first in letters.map { "\(first)\($0)" } }
        #expect(LanguagePreferences([tags.joined(separator: ",")]).tags.count == LanguagePreferences.maximumTags)
        #expect(LanguagePreferences(tags).tags.count == LanguagePreferences.maximumValues)
        #expect(LanguagePreferences([String(repeating: "fr-", count: 100_000)]).tags.isEmpty)
        #expect(LanguagePreferences(["it," + String(repeating: "fr-", count: 100_000)]).text == "it")
        #expect(LanguagePreferences([String(repeating: ",;", count: 100_000)]).tags.isEmpty)
        #expect(LanguagePreferences([String(repeating: "🦜,", count: 100_000), "it"]).text == "it")
    }

    @Test("random bytes do not crash, and parsed lists round-trip", arguments: 0..<16 as Range<UInt64>)
    func hostile(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let likely = Array("-_;,=.@# q*01enzhsrptHANTlatn\t".utf8)
        let templates = try MessageTemplates(appName: "Example")
        for round in 0..<500 {
            let length = Int.random(in: 0...(round.isMultiple(of: 50) ? 2_000 : 40), using: &generator)
            let bytes = (0..<length).map { _ in
                Bool.random(using: &generator)
                    ? UInt8.random(in: 0...255, using: &generator)
                    : likely[Int.random(in: 0..<likely.count, using: &generator)]
            }
            let preferences = LanguagePreferences([String(decoding: bytes, as: UTF8.self)])
            #expect(preferences.tags.count <= LanguagePreferences.maximumTags)
            #expect(preferences.text.utf8.count <= 191)
            #expect(LanguagePreferences([preferences.text]) == preferences)
            #expect(templates.message(code: "123456", languages: preferences).text.contains("123456"))
        }
    }
}
