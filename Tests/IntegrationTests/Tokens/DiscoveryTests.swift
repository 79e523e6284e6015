import Encodings
import Glibc
import Processes
import TestServers
import Testing

/// OpenID Connect discovery: verifiers that know only an issuer, and users during a change of the issuer.
@Suite struct DiscoveryTests {
    private static let project = "demo-dialtone"

    private let server: RunningServer
    private let python: String

    init() throws {
        python = try #require(
            getenv("TEST_PYTHON").map { String(cString: $0) },
            "TEST_PYTHON is not set: run the tests with make test"
        )
        server = try RunningServer(workers: 1)
    }

    private var root: String { "http://127.0.0.1:\(server.port)" }

    /// Returns the results of independent verifiers, which know this issuer, for the tokens.
    private func verdicts(issuer: String, _ tokens: [String]) throws -> [String] {
        let script = "\(RunningServer.packageFolder)/Tests/IntegrationTests/Support/discovery_verifier.py"
        let run = try FinishedProcess.run(python, [script, issuer, Self.project] + tokens)
        #expect(run.status == .exited(0), "\(run.errors)")
        return run.output.split(separator: "\n").map(String.init)
    }

    private func status(_ path: String) throws -> Int { try server.get(path).status }

    @Test("verifiers find the keys from the issuer alone, and users notice no change of it, even if workers differ")
    func discovery() throws {
        let documents = [
            "/.well-known/openid-configuration", "/projects/demo-dialtone/.well-known/openid-configuration",
        ]
        let keySets = ["/.well-known/jwks.json", "/projects/demo-dialtone/.well-known/jwks.json"]

        // With Firebase's issuer, this server must not serve a discovery document.
        for path in documents {
            let answer = try server.get(path)
            #expect(answer.status == 404)
            #expect(answer.errorMessage == "No project has an issuer of its own at this URL.")
        }
        let keys = try server.get("/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com")
        for path in keySets {
            let answer = try server.get(path)
            #expect(answer.status == 200 && answer.body == keys.body)
            #expect(answer.headers["cache-control"] == keys.headers["cache-control"])
        }
        #expect(try status("/projects/other/.well-known/jwks.json") == 404)
        #expect(try status("/projects/other/.well-known/openid-configuration") == 404)
        let user = try server.signInFresh("+16505550121")
        let refreshToken = try #require(user["refreshToken"])
        var tokens = [try #require(user["idToken"])]

        var former = ""
        for issuer in [root, "\(root)/projects/demo-dialtone"] {
            try restart(withIssuer: issuer)
            let token = try #require(server.refresh(refreshToken)["id_token"])
            #expect(try self.issuer(of: token) == issuer)
            tokens.append(token)
            for token in tokens { #expect(try server.lookUp(token).status == 200) }

            let cookie = try server.sessionCookie(token)
            #expect(try server.lookUp(cookie).errorMessage == "INVALID_ID_TOKEN")
            let forged = String(token.dropLast(8)) + "AAAAAAAA"
            let expected = tokens.dropLast().map { _ in "refused" } + ["accepted", "refused", "refused"]
            #expect(try verdicts(issuer: issuer, tokens + [cookie, forged]) == expected)
            #expect(try documents.map { try status($0) } == (issuer == root ? [200, 404] : [404, 200]))

            // A worker that does not have the new setting yet, or an operator who restores the former one.
            try restart(withIssuer: former)
            for token in tokens { #expect(try server.lookUp(token).status == 200) }
            former = issuer
        }
    }

    private func restart(withIssuer issuer: String) throws {
        try server.change(["PROJECT_DEMO_DIALTONE_ISSUER": issuer])
        try server.restartOldestWorker()
    }

    private func issuer(of token: String) throws -> String {
        let payload = try #require(Base64URL.decode(token.split(separator: ".")[1].utf8))
        guard case .object(let claims) = try JSONValue.parse(payload) else { return "" }
        return claims.text("iss")
    }
}
