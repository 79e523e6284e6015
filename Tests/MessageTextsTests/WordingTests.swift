import Testing

@testable import MessageTexts

@Suite struct WordingTests {
    /// Languages whose every form is in the GSM alphabet.
    static let inGSMAlphabet: Set<MessageLanguage> = [
        .catalan, .croatian, .danish, .dutch, .english, .estonian, .filipino, .finnish, .french, .german, .indonesian,
        .italian,
        .latinSerbian, .malay, .norwegianBokmal, .polish, .romanian, .slovenian, .swahili, .swedish,
    ]

    static func forms(_ language: MessageLanguage) -> [String] {
        let wording = language.wording
        return [wording.named, wording.unnamed, wording.brieflyNamed, wording.brieflyUnnamed]
    }

    @Test("there are texts in more than 30 languages, each of its own")
    func count() {
        #expect(MessageLanguage.allCases.count == 47)
        let wordings = Set(MessageLanguage.allCases.map(\.wording))
        #expect(wordings.count == MessageLanguage.allCases.count)
    }

    @Test("every language's tag is canonical, so that a look-up finds it", arguments: MessageLanguage.allCases)
    func tag(language: MessageLanguage) throws {
        let tag = try #require(LanguageTag(language.rawValue))
        #expect(tag.description == language.rawValue)
        #expect(MessageLanguage(tag) == language)
    }

    @Test(
        "the code stands once, at the beginning; the name once where there is one, and no other brace",
        arguments: MessageLanguage.allCases
    )
    func places(language: MessageLanguage) throws {
        for form in Self.forms(language) {
            let template = try MessageTemplate(override: form, hasAppName: true)
            #expect(form.hasPrefix("{code}") || form.hasPrefix("[{code}]"))
            let hasName = [language.wording.named, language.wording.brieflyNamed].contains(form)
            #expect(template.parts.contains(.app) == hasName)
        }
    }

    @Test(
        "no text has doubled or outer spaces, combining accents or ASCII digits of its own",
        arguments: MessageLanguage.allCases
    )
    func tidy(language: MessageLanguage) {
        for form in Self.forms(language) {
            #expect(!form.contains("  "))
            #expect(form.first != " " && form.last != " ")
            // Precomposed letters take one unit each, decomposed ones two.
            #expect(!form.unicodeScalars.contains { (0x0300...0x036F).contains($0.value) })
            #expect(!form.unicodeScalars.contains { ("0"..."9").contains($0) })
        }
    }

    @Test(
        "the full text fits one segment with a name of 20 characters and without a name",
        arguments: MessageLanguage.allCases
    )
    func oneSegment(language: MessageLanguage) throws {
        for name in [language.sampleName, String(repeating: "x", count: 20), "7-Eleven & Everything"] {
            let name = String(name.prefix(20))
            #expect(name.unicodeScalars.count >= 20)
            let templates = try MessageTemplates(appName: name)
            let message = templates.message(code: "123456", languages: language.preference)
            #expect(message.size.segments == 1)
            let full = MessageTemplate(language.wording.named).filled(code: "123456", appName: try AppName(name))
            if name.utf8.allSatisfy({ $0 < 0x80 }) || !Self.inGSMAlphabet.contains(language) {
                #expect(message.text == full)
            }
        }
        let unnamed = try MessageTemplates().message(code: "123456", languages: language.preference)
        #expect(unnamed.text == language.wording.unnamed.replacingCode(with: "123456"))
        #expect(unnamed.size.segments == 1)
    }

    @Test(
        "where a language is said to be in the GSM alphabet, each of its forms is",
        arguments: MessageLanguage.allCases
    )
    func alphabet(language: MessageLanguage) {
        let encodings = Self.forms(language).map { form in
            MessageSize(of: MessageTemplate(form).filled(code: "123456", appName: try? AppName("Example"))).encoding
        }
        #expect(encodings.allSatisfy { $0 == .gsm7 } == Self.inGSMAlphabet.contains(language))
    }

    @Test(
        "a text from right to left has its first letter in that direction",
        arguments: [MessageLanguage.arabic, .hebrew, .persian, .urdu]
    )
    func direction(language: MessageLanguage) throws {
        for form in Self.forms(language) {
            let letters = MessageTemplate(form).filled(code: "123456", appName: try AppName("Example")).unicodeScalars
            let first = try #require(letters.first { $0.properties.isAlphabetic })
            #expect(first.isRightToLeft)
        }
    }
}

extension String {
    /// The template with the code in its place.
    fileprivate func replacingCode(with code: String) -> String {
        MessageTemplate(self).filled(code: code, appName: nil)
    }
}
