import DialtoneTexts
import Testing

@testable import MessageTexts

@Suite struct WordingTests {
    /// Languages whose texts use only the GSM alphabet.
    static let inGSMAlphabet: Set<MessageLanguage> = [
        .catalan, .croatian, .danish, .dutch, .english, .estonian, .filipino, .finnish, .french, .german, .indonesian,
        .italian,
        .latinSerbian, .malay, .norwegianBokmal, .polish, .romanian, .slovenian, .swahili, .swedish,
    ]

    static func forms(_ language: MessageLanguage) -> [String] {
        let wording = language.wording
        return [wording.named, wording.unnamed, wording.brieflyNamed, wording.brieflyUnnamed]
    }

    @Test("more than 30 languages have distinct texts")
    func count() {
        #expect(MessageLanguage.allCases.count == 47)
        let wordings = Set(MessageLanguage.allCases.map(\.wording))
        #expect(wordings.count == MessageLanguage.allCases.count)
    }

    @Test("every language's tag is canonical, so that lookups find it", arguments: MessageLanguage.allCases)
    func tag(language: MessageLanguage) throws {
        let tag = try #require(LanguageTag(language.rawValue))
        #expect(tag.description == language.rawValue)
    }

    @Test(
        "a text has the code once, near the start, at most one app name, and no other braces",
        arguments: MessageLanguage.allCases
    )
    func places(language: MessageLanguage) throws {
        for form in Self.forms(language) {
            let template = try MessageTemplate(override: form, hasAppName: true)
            #expect(form.hasPrefix("{code}") || form.hasPrefix("[{code}]"))
            let hasName = [language.wording.named, language.wording.brieflyNamed].contains(form)
            #expect(template.parts.contains(.place(.app)) == hasName)
        }
    }

    @Test(
        "no text has double or outer spaces, combining accents or ASCII digits",
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
        "the full text fits in one segment with an app name of 20 characters and without one",
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
        "if a language is declared as GSM, all its forms are in the GSM alphabet",
        arguments: MessageLanguage.allCases
    )
    func alphabet(language: MessageLanguage) {
        let encodings = Self.forms(language).map { form in
            MessageSize(of: MessageTemplate(form).filled(code: "123456", appName: try? AppName("Example"))).encoding
        }
        #expect(encodings.allSatisfy { $0 == .gsm7 } == Self.inGSMAlphabet.contains(language))
    }

    @Test(
        "the first letter of a right-to-left text is right-to-left",
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
    /// Returns the template with the code inserted.
    fileprivate func replacingCode(with code: String) -> String {
        MessageTemplate(self).filled(code: code, appName: nil)
    }
}
