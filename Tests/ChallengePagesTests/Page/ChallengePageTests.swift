import DialtoneTexts
import Encodings
import Foundation
import Testing

@testable import ChallengePages

@Suite struct ChallengePageTests {
    static func page(_ language: Language = .english, at now: Int64 = 4_000_000_000) throws -> ChallengePage {
        let challenge = Sample.proofOfWork().challenge(
            for: Sample.subject(),
            difficulty: .lowest,
            at: now,
            randomBytes: Sample.laborious
        )
        return ChallengePage(
            challenge: challenge,
            callback: try Sample.callback(),
            language: language,
            nonce: Sample.nonce()
        )
    }

    static func page(_ kind: ChallengeProvider.Kind, _ language: Language = .english) throws -> ChallengePage {
        let provider = try ChallengeProvider(kind: kind, siteKey: "site-key", secret: ProviderSecret("provider-secret"))
        return ChallengePage(
            provider: provider,
            callback: try Sample.callback(),
            language: language,
            nonce: Sample.nonce()
        )
    }

    static func page(
        _ reason: VerifyAppRefusal.Reason,
        _ callback: Callback?,
        _ language: Language = .english
    ) -> ChallengePage {
        let refusal = VerifyAppRefusal(reason: reason, callback: callback)
        return ChallengePage(refusal: refusal, language: language, nonce: Sample.nonce())
    }

    static func html(_ page: ChallengePage) -> String {
        String(decoding: page.render(), as: UTF8.self)
    }

    static let policyOfBuiltIn =
        "default-src 'none'; script-src 'nonce-BwcHBwcHBwcHBwcHBwcHBw'; style-src 'nonce-BwcHBwcHBwcHBwcHBwcHBw'; "
        + "connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    @Test("the page is complete in one document under 30 KB, in every language", arguments: Language.allCases)
    func complete(language: Language) throws {
        let page = try Self.page(language)
        let html = Self.html(page)
        #expect(page.render().count < 30_000)
        #expect(html.contains("<html lang=\"\(language.tag)\" dir=\"\(language.direction)\">"))
        #expect(!html.contains("{{"))
        #expect(!html.contains(" src=") && !html.contains("<link") && !html.contains("@import"))
        for text in [language.text(.workingHeading), language.text(.noScript), language.text(.checkFailed)] {
            #expect(html.contains(text))
        }
    }

    @Test("every script and style has the nonce of the content security policy")
    func nonces() throws {
        let pages = [try Self.page(), try Self.page(.turnstile), Self.page(.malformed, try Sample.callback())]
        for page in pages {
            let html = Self.html(page)
            for element in html.matches(of: #/<(script|style)[^>]*>/#) {
                let tag = String(element.output.0)
                let isCarrier = tag.contains("nonce=\"BwcHBwcHBwcHBwcHBwcHBw\"")
                #expect(isCarrier || tag == #"<script type="application/json" id="data">"#)
            }
            #expect(html.firstMatch(of: #/\son[a-z]+="|style="|javascript:/#) == nil)
        }
    }

    @Test("the headers forbid everything that the page does not need (clickjacking, sniffing, referrers)")
    func headers() throws {
        let headers = Dictionary(uniqueKeysWithValues: try Self.page(.hebrew).headers.map { ("\($0.name)", $0.value) })
        #expect(headers["Content-Security-Policy"] == Self.policyOfBuiltIn)
        #expect(headers["Cache-Control"] == "no-store")
        #expect(headers["Content-Language"] == "he")
        #expect(headers["Set-Cookie"] == nil)
    }

    @Test(
        "a provider's hosts are allowed only if the provider is configured",
        arguments: ChallengeProvider.Kind.allCases
    )
    func providerPolicy(kind: ChallengeProvider.Kind) throws {
        let page = try Self.page(kind)
        let policy = try #require(page.headers.first { "\($0.name)" == "Content-Security-Policy" }?.value)
        let html = Self.html(page)
        let script = try #require(URL(string: kind.script(.english)))
        let host = try #require(script.host)
        let isAllowed =
            policy.contains("https://\(host)") || policy.contains("*.\(host.split(separator: ".", maxSplits: 1)[1])")
        #expect(isAllowed)
        #expect(policy.contains("frame-src https://") && policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("unsafe") && !policy.contains("blob:"))
        #expect(html.contains("site-key") && !html.contains("provider-secret"))
        #expect(page.render().count < 30_000)
    }

    @Test("an error page gives the reason in the user's language and links only to a registered app")
    func refused() throws {
        for language in Language.allCases {
            for reason in VerifyAppRefusal.Reason.allCases {
                let alone = Self.html(Self.page(reason, nil, language))
                #expect(alone.contains(reason.code) && alone.contains(language.text(.refusedHeading)))
                #expect(!alone.contains("href="))
                let linked = Self.html(Self.page(reason, try Sample.callback(), language))
                #expect(linked.matches(of: #/href="/#).count == 1)
                #expect(linked.contains("href=\"\(Sample.schemeName)://firebaseauth/link?"))
            }
        }
    }

    @Test("untrusted text cannot end a tag, an attribute or a script (XSS)")
    func escaping() {
        let text = Markup(text: "</script><b a=\"'\">&")
        #expect(String(decoding: text.bytes, as: UTF8.self) == "&lt;/script&gt;&lt;b a=&quot;&#39;&quot;&gt;&amp;")
        let json = Markup(json: Array("{\"a\":\"</script><!--\"}".utf8))
        #expect(String(decoding: json.bytes, as: UTF8.self) == "{\"a\":\"\\u003c/script>\\u003c!--\"}")
    }

    @Test("printing providers and proofs of work shows no secret")
    func hidden() throws {
        let secret = ProviderSecret("provider-secret")
        let provider = try ChallengeProvider(kind: .turnstile, siteKey: "site-key", secret: secret)
        let proof = Sample.proofOfWork()
        var text = "\(secret) \(provider) \(proof)"
        dump(provider, to: &text)
        dump(proof, to: &text)
        #expect(!text.contains("provider-secret") && !text.contains(Sample.key))
    }

    @Test(
        "the scripts for web apps are under 12 KB and contain the page's own solver",
        arguments: [ScriptForWebApps.verifier, .module]
    )
    func scripts(_ file: ScriptForWebApps) {
        let script = String(decoding: file.body, as: UTF8.self)
        #expect(file.body.count < 12_288)
        #expect(script.contains(String(decoding: PageAssets.proofOfWork, as: UTF8.self)))
        #expect(!script.contains("WebAssembly") && !script.contains("eval("))
    }
}
