import Encodings
import Testing

@testable import ChallengePages
@testable import DialtoneAuth

/// The texts of Dialtone's own client, which are copies of those of the server's pages, because the client imports none
/// of the server's targets.
@Suite struct ClientTextsTests {
    @Test("the client has the languages of the pages")
    func languages() {
        #expect(SignInLanguage.allCases.map(\.rawValue) == Language.allCases.map(\.tag))
    }

    @Test("the client's texts are those of the sign-in component and the challenge page", arguments: Language.allCases)
    func texts(language: Language) throws {
        let words = try #require(SignInLanguage(rawValue: language.tag)).words
        // The page's texts have other names in the client.
        let page = ["waiting": language.texts.workingHeading, "cancel": language.texts.cancel]
        let component = WebComponent.signIn.texts(in: language)
        let english = Mirror(reflecting: SignInWords.english).children
        for (child, englishChild) in zip(Mirror(reflecting: words).children, english) {
            let (name, text) = (try #require(child.label), try #require(child.value as? String))
            if ["notice", "notSaved"].contains(name) {
                #expect(text.count > 10 && (language == .english || text != englishChild.value as? String))
            } else if let expected = page[name] {
                #expect(text == expected, "\(name)")
            } else {
                #expect(component[name] == .string(text), "\(name)")
            }
        }
    }

    @Test(
        "both select the same language for a tag",
        arguments: [
            "", "de", "de-AT", "DE_at", "zh", "zh-TW", "zh_Hant_HK", "zh-hans-tw", "zh-MO", "iw", "in-ID", "pt-BR",
            "xx", "e", "-", "_de", "en_US_POSIX", "sr-Latn-RS", "zh-Hant-CN", "he-IL@calendar=hebrew",
        ]
    )
    func matching(tag: String) {
        #expect(SignInLanguage(matching: tag).rawValue == Language(matching: tag).tag)
    }

    @Test("waits are described in each language", arguments: SignInLanguage.allCases)
    func waits(language: SignInLanguage) {
        let waits = [5, 300, 18_000]
        let texts = waits.map(language.duration)
        // Arabic has its own digits.
        for text in texts { #expect(text.contains("5") || text.contains("٥"), "\(text)") }
        #expect(Set(texts).count == waits.count)
        #expect(language == .english || texts != waits.map(SignInLanguage.english.duration))
    }
}
