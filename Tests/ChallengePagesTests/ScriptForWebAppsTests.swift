import ChallengePages
import Encodings
import TestBrowser
import Testing

/// `verifier.js` and `dialtone.js` in a web app's page, in a real Chromium.
@Suite(.sharedBrowser) struct ScriptForWebAppsTests {
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

    @Test("the verifier's requests need no preflight, which this test's server refuses")
    func withoutPreflight() throws {
        let verifier = "new DialtoneVerifier({ apiKey: 'k', url: 'http://127.0.0.1:\(server.server.port)' })"
        #expect(try run("web", "\(verifier).verify()", host: Browser.insecureHost) == .string("a token of the test"))
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

    @Test("errors have the SDK's codes")
    func errors() throws {
        let codeOf = { (verifier: String) in
            "\(verifier).then(() => 'no error', (error) => error instanceof Error && error.code)"
        }
        let port = server.server.port
        let nobody = "new DialtoneVerifier({ apiKey: 'k', url: 'http://127.0.0.1:1' }).verify()"
        #expect(try run("web", codeOf(nobody)) == .string("auth/network-request-failed"))
        // Redirects the verification to a URL whose query makes the server reject the solution.
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

    // MARK: The module

    /// The parts of the result of `initializeAuth` that the module uses.
    private static let auth = """
        { config: { apiScheme: 'https', apiHost: 'identitytoolkit.googleapis.com',
            tokenApiHost: 'securetoken.googleapis.com' }, settings: { appVerificationDisabledForTesting: true } }
        """

    private func runModule(_ body: String) throws -> JSONValue {
        try run("web", "(async () => { const module = await import('/__/auth/dialtone.js'); \(body) })()")
    }

    @Test("connectDialtone points the SDK at the module's server immediately, and enables app verification")
    func connects() throws {
        let host = "127.0.0.1:\(server.server.port)"
        let body = """
            const auth = \(Self.auth), reached = module.connectDialtone(auth);
            const { apiScheme, apiHost, tokenApiHost } = auth.config;
            await reached;
            return [apiScheme, apiHost, tokenApiHost, auth.settings.appVerificationDisabledForTesting];
            """
        #expect(try runModule(body) == .array([.string("http"), .string(host), .string(host), .bool(false)]))
    }

    @Test("the module's verifier proves a web app")
    func moduleVerifies() throws {
        let body = "return new module.DialtoneVerifier({ apiKey: 'a key' }).verify();"
        #expect(try runModule(body) == .string("a token of the test"))
    }

    @Test(
        "connectDialtone accepts only an origin, with TLS unless it is on this machine",
        arguments: [
            ("https://auth.example.com", true), ("https://auth.example.com:8443/", true), ("http://localhost:1", true),
            ("http://[::1]:1", true), ("http://auth.example.com", false), ("https://auth.example.com/v1", false),
            ("https://auth.example.com?a=1", false), ("https://user@auth.example.com", false),
            ("auth.example.com", false),
            ("javascript:alert(1)", false), ("http://127.0.0.1.example.com", false), ("", false),
        ]
    )
    func urls(url: String, isAccepted: Bool) throws {
        let body = """
            const auth = \(Self.auth), before = auth.config.apiHost;
            window.fetch = async () => new Response('{}');
            const connected = module.connectDialtone(auth, { url: '\(url)' });
            const code = await connected.then(() => 'fine', (error) => error.code);
            return [code, auth.config.apiHost !== before];
            """
        let code = isAccepted ? "fine" : "auth/argument-error"
        #expect(try runModule(body) == .array([.string(code), .bool(isAccepted)]))
    }

    @Test("connectDialtone reports why it failed, with an error code of the SDK")
    func connectionErrors() throws {
        func code(_ auth: String, _ url: String, prepare: String = "") throws -> JSONValue {
            try runModule(
                "\(prepare) return module.connectDialtone(\(auth), { url: '\(url)' }).then(() => '', (error) => error.code);"
            )
        }
        let here = "http://127.0.0.1:\(server.server.port)"
        #expect(try code(Self.auth, "http://127.0.0.1:1") == .string("auth/network-request-failed"))
        let elsewhere = "window.fetch = async () => new Response('', { status: 404 });"
        #expect(try code(Self.auth, here, prepare: elsewhere) == .string("auth/internal-error"))
        #expect(try code("undefined", here) == .string("auth/argument-error"))
        #expect(try code("{ config: {}, emulatorConfig: {} }", here) == .string("auth/argument-error"))
    }

    @Test("the types declare what the module exports")
    func types() throws {
        let types = String(decoding: ScriptForWebApps.moduleTypes.body, as: UTF8.self)
        #expect(
            try runModule("return Object.keys(module).sort();")
                == .array([.string("DialtoneVerifier"), .string("connectDialtone")])
        )
        #expect(types.contains("export function connectDialtone(") && types.contains("export class DialtoneVerifier "))
    }
}
