import Encodings
import TestBrowser
import Testing

/// `verifier.js` in a web app's page, in a real Chromium.
@Suite(.sharedBrowser) struct VerifierScriptTests {
    let server: PageServer

    init() throws { server = try PageServer() }

    func run(_ name: String, _ expression: String, host: String = "127.0.0.1") throws -> JSONValue {
        try #require(try server.visit(name, host: host, steps: [.evaluate(expression)]).values.first)
    }

    static let verify = "new DialtoneVerifier({ apiKey: 'a key' }).verify()"

    @Test(
        "the verifier proves a web app with a worker, without one, and without WebCrypto",
        arguments: ["web", "strictweb"]
    )
    func verifies(name: String) throws {
        #expect(try run(name, Self.verify) == .string("a token of the test"))
        #expect(try run(name, Self.verify, host: Browser.insecureHost) == .string("a token of the test"))
        #expect(server.posts.count == 4 && server.posts.allSatisfy { $0.contains(#""apiKey": "a key""#) })
    }

    @Test("the Firebase SDK accepts the verifier as an ApplicationVerifier")
    func shape() throws {
        let expression = """
            (() => { const verifier = new DialtoneVerifier({ apiKey: 'k' }); verifier._reset();
              const isGlobal = Object.keys(window).includes('makeSolver');
              return [verifier.type, typeof verifier.verify, typeof DialtoneVerifier, isGlobal] })()
            """
        #expect(
            try run("web", expression)
                == .array([.string("recaptcha"), .string("function"), .string("function"), .bool(false)])
        )
    }

    @Test("progress is reported from 0 to 1")
    func progress() throws {
        let expression = """
            (async () => { const heard = [];
              await new DialtoneVerifier({ apiKey: 'k', onProgress: (share) => heard.push(share) }).verify();
              return heard.every((share) => share >= 0 && share <= 1) })()
            """
        #expect(try run("web", expression) == .bool(true))
    }

    @Test("its errors have the SDK's codes")
    func errors() throws {
        let codeOf = { (verifier: String) in
            "\(verifier).then(() => 'no error', (error) => error instanceof Error && error.code)"
        }
        let port = server.server.port
        let nobody = "new DialtoneVerifier({ apiKey: 'k', url: 'http://127.0.0.1:1' }).verify()"
        #expect(try run("web", codeOf(nobody)) == .string("auth/network-request-failed"))
        // Its own key's query reaches the server: what the test adds there chooses the answer.
        let rejected = """
            (() => { const fetched = window.fetch; window.fetch = (url, options) => fetched(
              url.includes('verify?') ? 'http://127.0.0.1:\(port)/__/auth/verify?answer=reject' : url, options);
              return \(Self.verify) })()
            """
        #expect(try run("web", codeOf(rejected)) == .string("auth/captcha-check-failed"))
        #expect(
            try run("web", "(() => { try { new DialtoneVerifier() } catch (error) { return error.code } })()")
                == .string("auth/argument-error")
        )
    }
}
