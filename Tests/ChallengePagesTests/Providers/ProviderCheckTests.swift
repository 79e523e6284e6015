import ChallengePages
import Encodings
import Synchronization
import TestServers
import TestBrowser
import Testing
import Threads

@Suite struct ProviderCheckTests {
    static func provider(
        _ server: ScriptServer,
        _ kind: ChallengeProvider.Kind = .turnstile
    ) throws -> ChallengeProvider {
        try ChallengeProvider(
            kind: kind,
            siteKey: "site-key",
            secret: ProviderSecret("s&cret+"),
            verificationURL: "http://127.0.0.1:\(server.port)/siteverify"
        )
    }

    @Test("the check returns the provider's response")
    func answers() throws {
        let server = try ProviderServer.start()
        let check = ProviderCheck(deadline: .seconds(60))
        let expected: [(String, ProviderCheckResult)] = [
            ("good", .solved(hostname: "auth.example.com")), ("nameless", .solved(hostname: nil)),
            ("wrong", .notSolved), ("spent", .notSolved), ("silent", .notSolved),
            ("secret", .unavailable(.secretRefused)), ("trouble", .unavailable(.malformedAnswer)),
            ("strange", .unavailable(.malformedAnswer)), ("text", .unavailable(.malformedAnswer)),
            ("html", .unavailable(.malformedAnswer)), ("500", .unavailable(.malformedAnswer)),
            ("huge", .unavailable(.malformedAnswer)), ("redirect", .unavailable(.malformedAnswer)),
            ("close", .unavailable(.malformedAnswer)),
        ]
        for (response, result) in expected {
            #expect(check.check(response, with: try Self.provider(server)) == result, "\(response)")
        }
        #expect(!server.folder.read("forms").contains("elsewhere"), "the redirect was followed")
    }

    @Test("the form contains secret, response and address, correctly escaped")
    func form() throws {
        let server = try ProviderServer.start()
        let check = ProviderCheck(deadline: .seconds(60))
        _ = check.check("good", with: try Self.provider(server), clientAddress: "2001:db8::1")
        _ = check.check("good", with: try Self.provider(server, .hCaptcha))
        let forms = try server.folder.read("forms").split(separator: "\n").map { try JSONValue.parse(Array($0.utf8)) }
        guard forms.count == 2, case .object(let first) = forms[0], case .object(let second) = forms[1] else {
            Issue.record("not two forms: \(forms)")
            return
        }
        #expect(first["secret"] == .string("s&cret+") && first["response"] == .string("good"))
        #expect(first["remoteip"] == .string("2001:db8::1") && first["sitekey"] == nil)
        #expect(first["path"] == .string("/siteverify"))
        #expect(first["type"] == .string("application/x-www-form-urlencoded"))
        #expect(second["remoteip"] == nil && second["sitekey"] == .string("site-key"))
    }

    @Test("a provider that exceeds the deadline counts as unavailable", arguments: ["hang", "drip"])
    func slow(response: String) throws {
        let server = try ProviderServer.start()
        let check = ProviderCheck(deadline: .milliseconds(400))
        let begin = ContinuousClock.now
        #expect(check.check(response, with: try Self.provider(server)) == .unavailable(.timedOut))
        let took = ContinuousClock.now - begin
        #expect(took >= .milliseconds(350))
    }

    @Test("while a request waits for a provider, another thread may be active")
    func steppingAside() throws {
        let server = try ProviderServer.start()
        let provider = try Self.provider(server)
        let check = ProviderCheck(deadline: .seconds(60))
        let isActive = try anotherThreadIsActive(
            during: { _ = check.check("hang", with: provider) },
            ended: { server.stop() }
        )
        #expect(isActive)
    }

    @Test("a provider that does not exist is unavailable")
    func missingProvider() throws {
        let provider = try ChallengeProvider(
            kind: .turnstile,
            siteKey: "site-key",
            secret: ProviderSecret("secret"),
            verificationURL: "http://127.0.0.1:\(FreePort.next())/"
        )
        let result = ProviderCheck(deadline: .seconds(2)).check("good", with: provider)
        // The client may keep trying to connect until the deadline.
        #expect(result == .unavailable(.timedOut) || result == .unavailable(.unreachable))
    }

    @Test(
        "an invalid configuration is rejected",
        arguments: [
            ("site-key", "secret", nil, nil), ("site-key", "secret", "https://example.com/verify", nil),
            ("", "secret", nil, .siteKey), ("a\"b", "secret", nil, .siteKey), ("site-key", "", nil, .secret),
            ("site-key", "secret", "", .verificationURL), ("site-key", "secret", "ftp://example.com", .verificationURL),
            ("site-key", "secret", "https://", .verificationURL),
            ("site-key", "secret", "https://a b", .verificationURL),
            ("site-key", "secret", "http://127.0.0.1:8080/verify", nil),
            ("site-key", "secret", "http://captcha.example.com/verify", .verificationURL),
            ("site-key", "secret", "http://localhost/verify", .verificationURL),
            ("site-key", "secret", "https://user:password@example.com/verify", .verificationURL),
        ] as [(String, String, String?, ChallengeProviderError?)]
    )
    func configuration(siteKey: String, secret: String, url: String?, expected: ChallengeProviderError?) {
        let make = { () throws(ChallengeProviderError) in
            try ChallengeProvider(
                kind: .hCaptcha,
                siteKey: siteKey,
                secret: ProviderSecret(secret),
                verificationURL: url
            )
        }
        do throws(ChallengeProviderError) {
            let provider = try make()
            #expect(expected == nil)
            #expect(provider.verificationURL.text == url ?? "https://api.hcaptcha.com/siteverify")
        } catch {
            #expect(error == expected)
        }
    }

    @Test("a slow provider occupies a bounded number of threads, and further checks fail immediately")
    func bounded() throws {
        let server = try ProviderServer.start()
        let check = ProviderCheck(threads: CountingGate(maximum: 2), deadline: .seconds(8))
        let inOrder = Mutex<[ProviderCheckResult]>([])
        _ = try inParallel(8) { _ in
            let result = check.check("hang", with: try Self.provider(server))
            inOrder.withLock { $0.append(result) }
        }
        let results = inOrder.withLock { $0 }
        #expect(results.prefix(6).allSatisfy { $0 == .unavailable(.busy) }, "they do not wait for the first two")
        #expect(results.suffix(2).allSatisfy { $0 == .unavailable(.timedOut) })
        #expect(check.check("good", with: try Self.provider(server)) == .solved(hostname: "auth.example.com"))
    }

    @Test("a slow provider of one project leaves the share of other projects free")
    func shares() throws {
        let server = try ProviderServer.start()
        let check = ProviderCheck(threads: CountingGate(maximum: 4, owners: 2), deadline: .seconds(8))
        let provider = try Self.provider(server)
        let results = try inParallel(8) { _ in check.check("hang", with: provider, of: "slow") }
        #expect(results.filter { $0 == .unavailable(.busy) }.count == 6)
        let both = try inParallel(3) { racer -> ProviderCheckResult in
            guard racer == 0 else { return check.check("hang", with: provider, of: "slow") }
            _ = eventually { server.folder.read("forms").split(separator: "\n").count >= 4 }
            return check.check("good", with: provider, of: "other")
        }
        #expect(both[0] == .solved(hostname: "auth.example.com"))
    }
}
