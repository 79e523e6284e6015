import DialtoneTexts
import PhoneAuth
import Testing

@testable import ChallengePages

@Suite struct SignInTextsTests {
    @Test("the scripts use all of their texts and no others")
    func used() {
        let signIn = Set(SharedText.ofComponent.map(\.rawValue))
        let account = Set(PageText.ofAccount.map(\.rawValue)).union([SharedText.cancel.rawValue])
        for (component, own, all) in [
            (ComponentModule.signIn, signIn, signIn), (.account, account, account.union(signIn)),
        ] {
            let script = String(decoding: component.body, as: UTF8.self)
            // Only a constant of the module uses this text.
            for name in own where name != "tryAgain" {
                let isUsed = ["texts.\(name)", "\(name): '", "'\(name)'"].contains { script.contains($0) }
                #expect(isUsed, "\(name) is not used")
            }
            for use in script.split(separator: "texts.").dropFirst() {
                let name = String(use.prefix { $0.isLetter })
                #expect(all.contains(name), "\(name) is no text")
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
