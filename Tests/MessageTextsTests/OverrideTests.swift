import Testing

@testable import MessageTexts

@Suite struct OverrideTests {
    @Test(
        "an override replaces the built-in text for its language and for languages that fall back to it",
        arguments: [
            ("pt-BR", "A 123456"), ("pt-PT", "B 123456"), ("pt", "B 123456"), ("zh-TW", "C 123456"),
            ("zh-HK", "D 123456"),
            ("gsw-CH", "E 123456 Example"), ("nn", "F 123456"), ("he", "G 123456"),
        ]
    )
    func override(language: String, expected: String) throws {
        let templates = try MessageTemplates(
            appName: " Example\n",
            overrides: [
                ("pt-BR", "A {code}"), ("pt", "B {code}"), ("zh_TW", "C {code}"), ("zh-Hant", "D {code}"),
                ("gsw", "E {code} {app}"),
                ("no", "F {code}"), ("iw", "G {code}"),
            ]
        )
        #expect(templates.message(code: "123456", languages: LanguagePreferences([language])).text == expected)
    }

    @Test("an English override is used for users without a language")
    func english() throws {
        let templates = try MessageTemplates(overrides: [("en", "Code:\n{code}")])
        #expect(templates.message(code: "123456", languages: LanguagePreferences(["tlh"])).text == "Code:\n123456")
        #expect(templates.message(code: "123456", languages: LanguagePreferences(["de"])).text.hasPrefix("123456 ist"))
    }

    @Test(
        "an invalid template is rejected with its language and the reason",
        arguments: [
            ("Hello", TemplateFault.missing("code")), ("", .missing("code")), ("{code} {code}", .repeated("code")),
            ("{app} {app} {code}", .repeated("app")),
            ("{code} {name}", .strayBrace), ("{{code}}", .strayBrace), ("{code", .strayBrace), ("{Code}", .strayBrace),
            ("{code}\t", .controlCharacter), ("{code}\r\n", .controlCharacter), ("{code}\u{0}", .controlCharacter),
            ("{code}\u{85}", .controlCharacter), ("{code}\u{2028}", .controlCharacter),
            ("{code}" + String(repeating: "a", count: 495), .tooLong(500)),
            ("a" + String(repeating: "\u{301}", count: 500) + "{code}", .tooLong(500)),
        ]
    )
    func refused(template: String, fault: TemplateFault) throws {
        let expected = MessageTemplateError.template(language: try #require(LanguageTag("de")), fault: fault)
        #expect(throws: expected) {
            try MessageTemplates(appName: "Example", overrides: [("en", "{code}"), ("de", template)])
        }
        #expect("\(expected)".hasPrefix("the message template for the language de cannot be used: it "))
    }

    @Test("a template may have 500 code points, line feeds and joining characters")
    func accepted() throws {
        let longest = "{code}\n" + String(repeating: "\u{200D}", count: 493)
        #expect(throws: Never.self) { try MessageTemplates(overrides: [("fa", longest)]) }
    }

    @Test("a template with a placeholder for the app name needs an app name")
    func nameless() throws {
        let expected = MessageTemplateError.template(language: .english, fault: .appWithoutName)
        #expect(throws: expected) { try MessageTemplates(overrides: [("en", "{app}: {code}")]) }
    }

    @Test("a language may be given only once, in any spelling")
    func languages() throws {
        #expect(throws: MessageTemplateError.languageRepeated(try #require(LanguageTag("he")))) {
            try MessageTemplates(overrides: [("iw", "{code}"), ("he", "{code}")])
        }
        #expect(throws: MessageTemplateError.languageUnreadable("german")) {
            try MessageTemplates(overrides: [("german", "{code}")])
        }
    }

    @Test("an override is never shortened")
    func whole() throws {
        let wording = String(repeating: "щ", count: 100)
        let hash = try #require(AppSignatureHash("aB3+dE6/hIu"))
        let templates = try MessageTemplates(overrides: [("ru", "{code} \(wording)")])
        let message = templates.message(
            code: "123456",
            languages: LanguagePreferences(["ru"]),
            ending: .smsRetriever(appHash: hash)
        )
        #expect(message.text == "123456 \(wording)\naB3+dE6/hIu")
    }
}
