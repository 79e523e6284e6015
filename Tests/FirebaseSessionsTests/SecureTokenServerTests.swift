import Cryptography
import Encodings
import GatewayStandIn
import IntegrityStandIn
import TestServers
import Testing
import Threads

@testable import FirebaseSessions
@testable import PhoneAuth

/// The exchange of refresh tokens at a mock of Google's servers, with real keys.
@Suite(.timeLimit(.minutes(5))) struct SecureTokenServerTests {
    private static let now = Instant(seconds: 1_800_000_000)

    private let google: GatewayServer
    private let tokens: FirebaseTokens

    init() async throws {
        google = try await GatewayServer.start(isPlain: true)
        tokens = try FirebaseTokens()
    }

    private func server(deadline: Duration = .seconds(20)) throws -> SecureTokenServer {
        let project = FirebaseProject(
            id: FirebaseTokens.project,
            apiKey: "AIza-key",
            url: try ServiceURL(google.url, allowsPlainLoopback: true),
            end: .init(seconds: 2_000_000_000)
        )
        return SecureTokenServer(project, deadline: deadline)
    }

    /// Exchanges a token. The call blocks, so it must not run on the threads of tasks.
    private func exchange(_ server: SecureTokenServer) async -> FirebaseTokenOutcome {
        await onThread { server.exchange("AMf-vB&refresh", at: Self.now) }
    }

    private static func claims(_ path: [String] = [], _ value: JSONValue? = nil) -> JSONObject {
        var claims = FirebaseTokens.claims(of: "ann", at: now.seconds, signedInAt: now.seconds - 9000)
        if !path.isEmpty { claims[path: path] = value }
        return claims
    }

    private static func reply(_ idToken: String) -> Reply { .answer(200, FirebaseTokens.answer(idToken: idToken)) }

    @Test("a refresh token is exchanged, and the keys are requested once until a token has a new key")
    func rotation() async throws {
        var tokens = tokens
        let server = try server()
        let claims = FirebaseTokens.claims(of: "ann", at: Self.now.seconds, signedInAt: 1_700_000_000)
        google.queue(Self.reply(try tokens.idToken(claims)), .answer(200, tokens.published))
        google.queue(Self.reply(try tokens.idToken(claims)))
        for _ in 0..<2 {
            guard case .exchanged(let signIn) = await exchange(server) else {
                Issue.record("not exchanged")
                return
            }
            #expect(signIn.uid == "ann" && signIn.provider == .phone && signIn.secondFactor == nil)
            #expect(signIn.signedInAt == Instant(seconds: 1_700_000_000))
        }
        try tokens.rotate()
        google.queue(Self.reply(try tokens.idToken(claims)), .answer(200, tokens.published))
        guard case .exchanged = await exchange(server) else {
            Issue.record("not exchanged after the rotation")
            return
        }
        let requests = google.requests
        #expect(requests.map(\.method) == ["POST", "GET", "POST", "POST", "GET"])
        #expect(requests[0].path == "/v1/token?key=AIza-key")
        #expect(requests[0].form == ["grant_type": "refresh_token", "refresh_token": "AMf-vB&refresh"])
        #expect(requests[1].path == "/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com")
    }

    @Test("the provider and the second factor are kept; a sign-in with another provider counts as custom")
    func claims() async throws {
        let server = try server()
        for (provider, known) in [("password", SignInProvider.password), ("google.com", .custom)] {
            var claims = FirebaseTokens.claims(of: "ann", at: Self.now.seconds, signedInAt: 1, provider: provider)
            claims[path: ["firebase", "sign_in_second_factor"]] = .string("phone")
            claims[path: ["firebase", "second_factor_identifier"]] = .string("factor")
            google.queue(Self.reply(try tokens.idToken(claims)))
            google.always(.answer(200, tokens.published))
            guard case .exchanged(let signIn) = await exchange(server) else {
                Issue.record("not exchanged")
                return
            }
            #expect(signIn.provider == known && signIn.secondFactor == ProvenSecondFactor(.phone, id: "factor"))
        }
    }

    @Test("an ID token with any single fault is rejected, and does not sign anyone in")
    func hostileTokens() async throws {
        let claims = Self.claims()
        let now = Self.now.seconds
        let other = try RSAPrivateKey.generate()
        let publicKey = try #require(tokens.keys.last).key.publicKey
        func number(_ value: Int64) -> JSONValue { .number(String(value)) }
        let faults: [(String, String)] = [
            ("audience", try tokens.idToken(Self.claims(["aud"], .string("other-project")))),
            ("issuer", try tokens.idToken(Self.claims(["iss"], .string("https://securetoken.google.com/other")))),
            ("expired", try tokens.idToken(Self.claims(["exp"], number(now)))),
            ("no expiry", try tokens.idToken(Self.claims(["exp"], nil))),
            ("issued later", try tokens.idToken(Self.claims(["iat"], number(now + 61)))),
            ("signed in later", try tokens.idToken(Self.claims(["auth_time"], number(now + 61)))),
            ("no user", try tokens.idToken(Self.claims(["sub"], .string("")))),
            ("long user", try tokens.idToken(Self.claims(["sub"], .string(String(repeating: "a", count: 129))))),
            ("tenant", try tokens.idToken(Self.claims(["firebase", "tenant"], .string("t")))),
            ("no algorithm", try tokens.idToken(claims, algorithm: "none") { _ in [] }),
            ("other algorithm", try tokens.idToken(claims, algorithm: "RS512")),
            (
                "HMAC with the public key",
                try tokens.idToken(claims, algorithm: "HS256") {
                    HMAC(.sha256, key: Array(try publicKey.pem().utf8)).authenticationCode(for: $0)
                }
            ),
            ("other key", try tokens.idToken(claims) { try other.signature(for: $0) }),
            ("unknown key", try tokens.idToken(claims, keyID: "unknown")),
            ("no token", "AMf-vB"),
        ]
        for (fault, idToken) in faults {
            google.queue(Self.reply(idToken))
            google.always(.answer(200, tokens.published))
            let outcome = await exchange(try server())
            guard case .unavailable = outcome else {
                Issue.record("\(fault): \(outcome)")
                continue
            }
        }
        google.queue(Self.reply(try tokens.idToken(claims)))
        guard case .exchanged = await exchange(try server()) else {
            Issue.record("the token without a fault is not exchanged")
            return
        }
    }

    @Test("a server that is slow, sends too much or sends something else costs a bounded time")
    func hostileServer() async throws {
        let huge = #"{"id_token":""# + String(repeating: "a", count: 1 << 20) + #""}"#
        let replies: [Reply] = [
            .silence, .drip, .cutAtEnd, .cutInAnswer, .answer(200, huge), .answer(200, "<html>"), .answer(500),
            .answer(302, "", [("Location", google.url + "/elsewhere")]), .answer(403, #"{"error":{}}"#),
        ]
        for reply in replies {
            google.queue(reply)
            let start = ContinuousClock.now
            let outcome = await exchange(try server(deadline: .milliseconds(500)))
            guard case .unavailable = outcome else {
                Issue.record("\(reply): \(outcome)")
                continue
            }
            #expect(ContinuousClock.now - start < .seconds(60))
        }
        google.queue(Self.reply(try tokens.idToken(Self.claims())), .answer(200, "{}"))
        guard case .unavailable = await exchange(try server()) else {
            Issue.record("a token was accepted without a key")
            return
        }
        #expect(!google.requests.contains { $0.path == "/elsewhere" })
    }

    @Test("Firebase's refusals keep the circuit breaker closed, and its failures open it")
    func breaker() async throws {
        let server = try server()
        let words = ["INVALID_REFRESH_TOKEN", "TOKEN_EXPIRED", "USER_DISABLED", "USER_NOT_FOUND"]
        for _ in 0..<10 {
            for word in words {
                google.queue(.answer(400, #"{"error":{"code":400,"message":"\#(word) : detail","errors":[]}}"#))
                guard case .refused(let refusal) = await exchange(server), refusal.rawValue == word else {
                    Issue.record("\(word)")
                    return
                }
            }
        }
        google.always(.answer(500))
        for _ in 0..<60 { _ = await exchange(server) }
        let count = google.requests.count
        guard case .unavailable(let reason) = await exchange(server) else {
            Issue.record("a failed exchange has a result")
            return
        }
        #expect(reason.contains("circuit breaker") && google.requests.count == count)
    }
}
