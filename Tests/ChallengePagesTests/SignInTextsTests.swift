import Encodings
import PhoneAuth
import Testing

@testable import ChallengePages

@Suite struct SignInTextsTests {
    private func texts(_ language: Language, _ component: WebComponent = .account) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: component.texts(in: language).members.map { name, value in
                if case .string(let text) = value { (name, text) } else { (name, "") }
            }
        )
    }

    private func placeholders(_ text: String) -> [Substring] {
        text.split(separator: "{", omittingEmptySubsequences: false).dropFirst()
            .compactMap { $0.split(separator: "}").first }.sorted()
    }

    @Test(
        "every language has every text with its placeholders, and no text is left in English",
        arguments: Language.allCases
    )
    func complete(language: Language) {
        let (english, own) = (texts(.english), texts(language))
        #expect(Set(own.keys) == Set(english.keys) && english.count > 90)
        for (name, text) in own {
            #expect(!text.isEmpty && text.first?.isWhitespace == false && text.last?.isWhitespace == false, "\(name)")
            #expect(placeholders(text) == placeholders(english[name] ?? ""), "\(name)")
            // Loanwords.
            if language != .english, !["code", "password", "name"].contains(name) {
                #expect(text != english[name], "\(name) is English")
            }
        }
    }

    @Test("the scripts use all of their texts and no others")
    func used() {
        let signIn = String(decoding: ComponentModule.signIn.body, as: UTF8.self)
        let account = String(decoding: ComponentModule.account.body, as: UTF8.self)
        let own = texts(.english, .signIn)
        for (component, script) in [(WebComponent.signIn, signIn), (.account, account)] {
            let all = texts(.english, component)
            // Only a constant of the module uses this text.
            for name in all.keys where name != "tryAgain" && (component == .signIn || own[name] == nil) {
                let isUsed = ["texts.\(name)", "\(name): '", "'\(name)'"].contains { script.contains($0) }
                #expect(isUsed, "\(name) is not used")
            }
            for use in script.split(separator: "texts.").dropFirst() {
                let name = String(use.prefix { $0.isLetter })
                #expect(all[name] != nil, "\(name) is no text")
            }
        }
    }
}

@Suite struct ContinueURLTests {
    private let domains = ["app.example.com", "localhost", "127.0.0.1:8080"]

    @Test(
        "URLs of authorized domains are accepted",
        arguments: [
            "https://app.example.com", "https://app.example.com/a?b=c&d=%20", "https://localhost/",
            "http://127.0.0.1:8080/x", "https://App.Example.com/",
        ]
    )
    func authorized(url: String) {
        #expect(ContinueURL(url, domains: domains)?.text == url)
    }

    @Test(
        "other URLs are refused",
        arguments: [
            "", "/", "//app.example.com", "http://app.example.com/", "https://app.example.com:444/",
            "https://app.example.com.evil.example/", "https://app.example.com@evil.example/",
            "https://evil.example/?https://app.example.com", "https://evil.example\\@app.example.com/",
            "https://app.example.com\\.evil.example/", "javascript:alert(1)//app.example.com",
            "https://app.example.com/\u{0}", "https://app.example.com/#x", "https:app.example.com",
            "https:///app.example.com", "http://127.0.0.1:8081/", "http://localhost/", "HTTPS://app.example.com/",
            "https://app.example.com/" + String(repeating: "x", count: 3000),
        ]
    )
    func refused(url: String) {
        #expect(ContinueURL(url, domains: domains) == nil)
    }

    @Test("in development mode, loopback addresses are accepted, and no others")
    func loopback() {
        #expect(ContinueURL("http://127.0.0.1:3000/", domains: [], allowsLoopback: true) != nil)
        #expect(ContinueURL("http://127.0.0.1.evil.example/", domains: [], allowsLoopback: true) == nil)
        #expect(ContinueURL("https://evil.example/", domains: [], allowsLoopback: true) == nil)
    }
}
