import DialtoneTexts
import Testing

@testable import MessageTexts

@Suite struct MessageTemplatesTests {
    @Test(
        "a message is in the first of the user's languages that has a text, otherwise in English",
        arguments: [
            (["pt-BR"], "pt"), (["pt-PT"], "pt-PT"), (["pt-AO"], "pt-PT"), (["pt"], "pt"), (["es-419"], "es"),
            (["en-GB"], "en"),
            (["zh-Hant-TW"], "zh-Hant"), (["zh_TW"], "zh-Hant"), (["zh-HK"], "zh-Hant"), (["zh"], "zh-Hans"),
            (["zh-CN"], "zh-Hans"),
            (["yue"], "zh-Hant"), (["iw"], "he"), (["in"], "id"), (["no"], "nb"), (["nn-NO"], "nb"), (["tl-PH"], "fil"),
            (["mo"], "ro"),
            (["sr"], "sr"), (["sr-Latn"], "sr-Latn"), (["sr-ME"], "sr-Latn"), (["sh"], "sr-Latn"), (["hi-Latn"], "hi"),
            (["tlh", "de-AT"], "de"), (["tlh,eo;q=0.9,it;q=0.1"], "it"), (["tlh"], "en"), (["ji"], "en"), ([], "en"),
            ([""], "en"),
            (["null", "🦜"], "en"), (["de;q=0"], "en"),
        ] as [([String], String)]
    )
    func fallback(values: [String], expected: String) throws {
        let templates = try MessageTemplates(appName: "Example")
        let languages = LanguagePreferences(values)
        let wording = try #require(MessageLanguage(rawValue: expected)).wording
        let text = MessageTemplate(wording.named).filled(code: "123456", appName: try AppName("Example"))
        let message = templates.message(code: "123456", languages: languages)
        #expect(message.text == text)
        #expect(message.language.description == expected)
    }

    @Test(
        "a call has the fullest text with single digits, in the user's language if there is a voice for it",
        arguments: [
            ("de-AT", "de-DE", "de"), ("pt-AO", "pt-PT", "pt-PT"), ("zh_TW", "cmn-TW", "zh-Hant"),
            ("fa", "en-US", "en"), ("tlh", "en-US", "en"),
        ]
    )
    func speech(locale: String, voice: String, language: String) throws {
        let templates = try MessageTemplates(appName: "Example")
        let speech = templates.speech(code: "123456", languages: LanguagePreferences([locale]))
        let wording = try #require(MessageLanguage(rawValue: language)).wording
        let fullest = MessageForms(wording, hasAppName: true, mayDropName: false).fullest
        #expect(speech.locale == voice)
        #expect(speech.text == fullest.filled(code: "1, 2, 3, 4, 5, 6", appName: try AppName("Example")))
    }

    @Test(
        "a right-to-left name is isolated in left-to-right text, which is shortened to one segment"
    )
    func foreignName() throws {
        let message = try MessageTemplates(appName: "חדשות היום, גם בלילה").message(
            code: "123456",
            languages: LanguagePreferences(["en"])
        )
        #expect(message.text == "123456 is your \u{2068}חדשות היום, גם בלילה\u{2069} code.")
        #expect(message.size.encoding == .ucs2)
        #expect(message.size.segments == 1)
    }

    @Test("with a name of 40 characters, every language fits in one segment", arguments: MessageLanguage.allCases)
    func longName(language: MessageLanguage) throws {
        let templates = try MessageTemplates(appName: String(repeating: "x", count: 40))
        #expect(templates.message(code: "123456", languages: language.preference).size.segments == 1)
    }

    @Test("if no form fits in one segment, the fullest form with the fewest segments is used")
    func twoSegments() throws {
        let templates = try MessageTemplates(appName: String(repeating: "ж", count: 40))
        let host = try #require(BoundHost("accounts.example.com"))
        let message = templates.message(
            code: "123456",
            languages: LanguagePreferences(["ru"]),
            ending: .boundTo(host: host)
        )
        #expect(message.size.segments == 2)
        #expect(message.text.contains("Никому"))

        let longHost = try #require(BoundHost("accounts.of.a.rather.long.name.example.com"))
        let shorter = templates.message(
            code: "123456",
            languages: LanguagePreferences(["ru"]),
            ending: .boundTo(host: longHost)
        )
        #expect(shorter.size.segments == 2)
        #expect(!shorter.text.contains("Никому"))
    }

    @Test("printing a message shows nothing of its content")
    func confidential() throws {
        let message = try MessageTemplates().message(code: "123456", languages: LanguagePreferences([]))
        var dumped = ""
        dump(message, to: &dumped)
        for printed in ["\(message)", String(reflecting: message), dumped, "\([message])"] {
            #expect(!printed.contains("123456"))
            #expect(printed.contains("MessageText(…)"))
        }
    }
}
