import Cryptography
import Encodings
import GatewayStandIn
import IntegrityStandIn
import OutgoingHTTP
import PhoneAuth
import PlayIntegrity
import TestServers
import Testing
import Threads

/// Tokens that Google's server decodes, with mocks of that server and of the issuer of access tokens.
@Suite(.timeLimit(.minutes(5))) struct GoogleDecoderTests {
    private static let accessToken = Reply.answer(
        200,
        #"{"access_token":"ya29.secret","expires_in":3599,"token_type":"Bearer"}"#
    )

    private let google: GatewayServer
    private let issuer: GatewayServer
    private let token: String

    init() async throws {
        google = try await GatewayServer.start(isPlain: true)
        issuer = try await GatewayServer.start(isPlain: true)
        issuer.always(Self.accessToken)
        google.always(Self.decoded())
        token = try IntegrityTokens().token("{}")
    }

    private static func decoded(_ payload: JSONObject = TestApp.payload()) -> Reply {
        .answer(200, #"{"tokenPayloadExternal":\#(payload.text)}"#)
    }

    private func apps(
        deadline: Duration = .seconds(20),
        breaker: CircuitBreakerPolicy = CircuitBreakerPolicy(),
        waitingOn threads: CountingGate = CountingGate(maximum: 4)
    ) throws -> PlayIntegrityApps {
        let file = try TestServiceAccount.file(tokenURL: issuer.url + "/token")
        let decoder = GoogleDecoder(
            account: try #require(GoogleServiceAccount(file: Array(file.utf8))),
            url: try ServiceURL(google.url, allowsPlainLoopback: true),
            client: BoundedHTTPClient(),
            deadline: deadline,
            breaker: breaker
        )
        return TestApp.registered(.byGoogle(decoder), waitingOn: threads)
    }

    /// Returns why the token is refused. The call blocks, so it must not run on the threads of tasks.
    private func refusal(_ apps: PlayIntegrityApps) async -> InvalidAppCredential? {
        let request = TestApp.request(token)
        return await onThread { apps.refusal(of: request, in: TestApp.project) }
    }

    @Test("a token is decoded with an access token, for which the account's assertion is exchanged once an hour")
    func decoded() async throws {
        let apps = try apps()
        #expect(await refusal(apps) == nil)
        #expect(await refusal(apps) == nil)
        #expect(issuer.requests.count == 1 && google.requests.count == 2)
        let exchange = try #require(issuer.requests.first)
        #expect(exchange.method == "POST" && exchange.path == "/token")
        #expect(exchange.form["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer")
        let assertion = try #require(CompactJWT(exchange.form["assertion"] ?? ""))
        let publicKey = try TestServiceAccount.key().publicKey
        #expect(assertion.isSigned("RS256") { publicKey.isValid($0, for: $1) })
        #expect(assertion.header["kid"] == .string(TestServiceAccount.keyID))
        let now = TestApp.now.seconds
        #expect(
            assertion.claims
                == JSONObject(members: [
                    ("iss", .string(TestServiceAccount.email)),
                    ("scope", .string("https://www.googleapis.com/auth/playintegrity")),
                    ("aud", .string(issuer.url + "/token")), ("iat", .number("\(now)")),
                    ("exp", .number("\(now + 3600)")),
                ])
        )
        for request in google.requests {
            #expect(request.method == "POST" && request.path == "/v1/com.example.app:decodeIntegrityToken")
            #expect(request.header("authorization") == "Bearer ya29.secret")
            #expect(request.object == JSONObject(members: [("integrityToken", .string(token))]))
        }
    }

    @Test("payloads that Google decodes must meet the same requirements")
    func requirements() async throws {
        let apps = try apps()
        google.queue(Self.decoded(TestApp.payload([(["appIntegrity", "packageName"], .string("com.example.x"))])))
        google.queue(Self.decoded(TestApp.payload([(["requestDetails", "nonce"], nil)])))
        google.queue(.answer(200, #"{"tokenPayloadExternal":{}}"#))
        #expect(await refusal(apps) == .integrityPackageOther)
        #expect(await refusal(apps) == .integrityNonceOther)
        #expect(await refusal(apps) == .integrityPackageOther)
    }

    @Test("a malformed token is not sent to Google")
    func malformed() async throws {
        let apps = try apps()
        for token in ["t", token + "=", "a.b.c.d.e"] {
            #expect(apps.mayBeValid(token, of: IntegrityTokens.packageName, in: TestApp.project) == false)
            let request = TestApp.request(token)
            let refusal = await onThread { apps.refusal(of: request, in: TestApp.project) }
            #expect(refusal == .integrityTokenInvalid)
        }
        #expect(google.requests.isEmpty && issuer.requests.isEmpty)
    }

    @Test(
        "a response of Google's server that is not a payload causes the token to be refused",
        arguments: [
            (.answer(400, #"{"error":{"code":400}}"#), .integrityTokenInvalid),
            (.answer(403, "{}"), .integrityAccountRefused), (.answer(401, "{}"), .integrityAccountRefused),
            (.answer(404, "{}"), .integrityUnavailable), (.answer(429, "{}"), .integrityUnavailable),
            (.answer(500, "{}"), .integrityUnavailable), (.answer(503), .integrityUnavailable),
            (.answer(307, "", [("Location", "/elsewhere")]), .integrityUnavailable),
            (.answer(200, "<html>"), .integrityUnavailable), (.answer(200, "{}"), .integrityUnavailable),
            (.answer(200, #"{"tokenPayloadExternal":[]}"#), .integrityUnavailable),
            (.answer(200, String(repeating: " ", count: 100_000) + "{}"), .integrityUnavailable),
            (.answer(200, String(repeating: "[", count: 10_000)), .integrityUnavailable),
            (.cutAtEnd, .integrityUnavailable), (.cutInAnswer, .integrityUnavailable),
        ] as [(Reply, InvalidAppCredential)]
    )
    func answers(reply: Reply, expected: InvalidAppCredential) async throws {
        google.queue(reply)
        #expect(await refusal(try apps()) == expected)
    }

    @Test(
        "without an access token, Google's server is not called",
        arguments: [
            (.answer(400, #"{"error":"invalid_grant"}"#), .integrityAccountRefused),
            (.answer(401), .integrityAccountRefused), (.answer(500), .integrityUnavailable),
            (.answer(200, "{}"), .integrityUnavailable), (.answer(200, "nothing"), .integrityUnavailable),
            (.answer(200, #"{"access_token":"","expires_in":3599}"#), .integrityUnavailable),
            (.answer(200, #"{"access_token":"a\r\nX: y","expires_in":3599}"#), .integrityUnavailable),
            (.answer(200, #"{"access_token":"a","expires_in":0}"#), .integrityUnavailable),
            (.answer(200, #"{"access_token":"a"}"#), .integrityUnavailable), (.cutAtEnd, .integrityUnavailable),
        ] as [(Reply, InvalidAppCredential)]
    )
    func noAccess(reply: Reply, expected: InvalidAppCredential) async throws {
        issuer.queue(reply)
        let apps = try apps()
        #expect(await refusal(apps) == expected)
        #expect(google.requests.isEmpty)
        #expect(await refusal(apps) == nil, "the next token is decoded")
    }

    @Test("an access token that is valid for a minute is used once, and one that Google refuses is replaced")
    func renewal() async throws {
        issuer.queue(.answer(200, #"{"access_token":"short","expires_in":60}"#))
        let apps = try apps()
        #expect(await refusal(apps) == nil)
        google.queue(.answer(401, "{}"))
        #expect(await refusal(apps) == .integrityAccountRefused)
        #expect(await refusal(apps) == nil)
        #expect(issuer.requests.count == 3)
        let used = google.requests.map { $0.header("authorization") ?? "" }
        #expect(used == ["Bearer short", "Bearer ya29.secret", "Bearer ya29.secret"])
    }

    @Test("a call to a silent server ends at the deadline")
    func silence() async throws {
        google.queue(.silence)
        let apps = try apps(deadline: .milliseconds(300))
        #expect(await refusal(apps) == .integrityUnavailable)
    }

    @Test("the circuit breaker opens after failures of the server, which is then no longer called")
    func breaker() async throws {
        var policy = CircuitBreakerPolicy()
        policy.firstBackoff = .seconds(3600)
        policy.maximumBackoff = .seconds(3600)
        let apps = try apps(breaker: policy)
        google.always(.answer(500))
        for _ in 0..<15 { #expect(await refusal(apps) == .integrityUnavailable) }
        #expect(google.requests.count == 10)
    }

    @Test("tokens that Google refuses do not open the circuit breaker, because anyone can send them")
    func breakerOfClients() async throws {
        let apps = try apps()
        for status in [400, 403] {
            google.always(.answer(status, "{}"))
            for _ in 0..<12 { #expect(await refusal(apps) != .integrityUnavailable) }
        }
        google.always(Self.decoded())
        #expect(await refusal(apps) == nil)
    }

    @Test("a slow server occupies only the app's share of threads, and further tokens are refused immediately")
    func share() async throws {
        google.always(.silence)
        let apps = try apps(deadline: .seconds(3), waitingOn: CountingGate(maximum: 4, owners: 2))
        let request = TestApp.request(token)
        let refusals = await onThread {
            (try? inParallel(8) { _ in apps.refusal(of: request, in: TestApp.project) }) ?? []
        }
        #expect(refusals == Array(repeating: .integrityUnavailable, count: 8))
        #expect(google.requests.count <= 2)
    }

    @Test("the file of a service account needs a name, a 2048-bit RSA key and a TLS URL")
    func accounts() throws {
        let pem = try TestServiceAccount.key().pem()
        func account(_ changes: [String: JSONValue?]) -> GoogleServiceAccount? {
            var object = JSONObject(members: [
                ("client_email", .string("a@b.example")), ("private_key", .string(pem)),
                ("token_uri", .string("https://oauth2.example.com/token")),
            ])
            for (name, value) in changes { object[path: [name]] = value }
            return GoogleServiceAccount(file: Array(object.text.utf8))
        }
        let complete = try #require(account([:]))
        #expect("\(complete)" == "GoogleServiceAccount(…)")
        let wrong: [[String: JSONValue?]] = [
            ["client_email": .string("")], ["client_email": nil], ["private_key": .string("x")], ["private_key": nil],
            ["private_key": .string(try RSAPrivateKey.generate(bitCount: 1024).pem())],
            ["private_key": .string(try P256PrivateKey.generate().pem())], ["token_uri": nil],
            ["token_uri": .string("http://oauth2.example.com/token")], ["token_uri": .string("file:///etc/passwd")],
        ]
        for changes in wrong { #expect(account(changes) == nil, "\(changes.keys)") }
        #expect(GoogleServiceAccount(file: []) == nil)
    }
}
