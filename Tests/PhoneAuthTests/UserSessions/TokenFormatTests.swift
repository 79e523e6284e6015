import Encodings
import Passwords
import RedisScripts
import Testing

@testable import PhoneAuth

/// The bytes of every token: a token that a user or an app has stays valid when a new version is installed.
@Suite struct TokenFormatTests {
    private let keys: ServerKeys
    private let project = Project(id: "demo-app", authorizedDomains: [])
    private let account = AccountIdentity(project: "demo-app", uid: "uid-1", among: .standard)
    private let shard = Shard(index: 0x2A)

    init() throws {
        keys = try TestKeys.make()
    }

    /// An environment with the same random bytes for every token.
    private var environment: Environment { SettableEnvironment(seed: 3).environment }

    private func id<Subject>(_: Subject.Type = Subject.self) throws -> RandomID<Subject> {
        try #require(RandomID<Subject>(project: project.id, bytes: Array(0..<16)))
    }

    @Test(
        "the ticket of a session keeps its bytes",
        arguments: [
            (
                CodeSource.derived, [UInt8](),
                "AQEAAQIDBAUGBwgJCgsMDQ4PAe2JAc-WB7gWenLMf7k197mjZO5OFSNN6QUU9xQvAKLbAPI0_rf9CNI"
            ),
            (
                .testNumber, Array(100..<116),
                "AYMAAQIDBAUGBwgJCgsMDQ4PAe2JAc-WB7gWenLMf7k197mjZO5OFSNN6TsORPQhrlflF8w_W5keFwfphTVjUAW-36kG6Ys"
                    + "DONH9OQ"
            ),
        ]
    )
    func sessionTicket(codeSource: CodeSource, holder: [UInt8], text: String) throws {
        let scope = VerificationScope(purpose: holder.isEmpty ? .signIn : .secondFactorSignIn, holder: holder)
        let ticket = VerificationTicket(id: try id(), scope: scope, codeSource: codeSource, phoneNumber: "+16505550101")
        let written = ticket.text(sealedNumber: try ticket.seal(in: project, keys, environment))
        #expect(written == text)
        let opened = try #require(VerificationTicket(text, in: project, keys))
        #expect(opened.id == ticket.id && opened.scope == scope && opened.codeSource == codeSource)
        #expect(opened.phoneNumber == "+16505550101" && opened.dataKeyID == 1)
    }

    @Test("a temporary proof keeps its bytes")
    func temporaryProof() throws {
        let text = "AQABAgMEBQYHCAkKCwwNDg8AAAAAZVP_EIAB7YkBz5YHuBZ6csx_uTX3uaNk7k4VI03phxxrr9sx-Ie-2bfGT9_hqg"
        let proof = TemporaryProof(
            id: try id(),
            phoneNumber: "+16505550101",
            expiresAt: 1_700_003_600,
            codeSource: .testNumber
        )
        let written = try proof.text(in: project, keys, environment)
        #expect(written == text)
        let opened = try #require(TemporaryProof(text, in: project, keys))
        #expect(opened.codeSource == .testNumber)
        #expect(opened.id == proof.id && opened.phoneNumber == "+16505550101" && opened.expiresAt == 1_700_003_600)
    }

    @Test("a challenge token keeps its bytes")
    func challengeToken() throws {
        let text = "Ae2JAc-WB7gWenLMf_TDXOrm9agtMsaT0Q"
        let token = ChallengeToken(environment)
        #expect(token.text == text)
        #expect(try #require(ChallengeToken(text)).identity(in: project) == token.identity(in: project))
    }

    @Test("a push receipt and its secret keep their bytes")
    func pushReceipt() throws {
        let text = "AQAqAAECAwQFBgcICQoLDA0ODw"
        let receipt = PushReceipt(id: try #require(PushReceiptID(shard: shard, bytes: Array(0..<16))))
        #expect(receipt.text == text)
        #expect(try #require(PushReceipt(text, .standard)).id == receipt.id)
        let secret = "9E-wj1pPg6X8nbFzy9f9ZWNTEmTx9asQf-DJCgsDO58"
        #expect(receipt.secret(for: "com.example.app", in: "demo-app", keys) == secret)
        #expect(receipt.hasSecret(secret, for: "com.example.app", in: "demo-app", keys))
    }

    @Test("a pending credential keeps its bytes")
    func pendingCredential() throws {
        let text =
            "AQHtiQHPlge4FnpyzH_pJrTl93PhWVB7GfUKSA2wNrRR-RXEN0fUVEQF-z8fkU42y8XuqCj3R_6U-QyVnEo70JJN1dB5R3o"
            + "vKZQmBsL5Ho38kmOpeRohw8SmVDZUiPbf75fQvoKtAdb4i-sIS0D8_JuazVFuw10Q0PnFzpCBwR907Q"
        let now = Instant(milliseconds: 1_700_000_000_000)
        let opened = try #require(PendingCredential(text, in: project, keys, at: now))
        #expect(opened.uid == "uid-1" && opened.provider == .password && opened.revocation == 7)
        #expect(opened.validSince == 1_699_999_999 && opened.passwordUpdatedAt == nil)
        #expect(opened.expiresAt == 1_700_000_600_000)
        #expect(try opened.text(in: project, keys, environment) == text)
    }

    @Test("a code that reverts a second factor keeps its bytes")
    func revertCode() throws {
        let text =
            "AQHtiQHPlge4FnpyzH_pJrTl93PhWVB7GfUKSA2wIKdd-xPScA_UCAcW7iMeyxBmg8Wn8ir7Q_SEukLNxBQp3JVVz5YoGSZ"
            + "7B_53S73cguj4CyoOO3cudMM"
        let code = SecondFactorRevertCode(
            reverting: "factor-1",
            of: "uid-1",
            at: Instant(milliseconds: 1_700_000_000_250)
        )
        #expect(try code.text(in: project, keys, environment) == text)
        let opened = try #require(SecondFactorRevertCode(text, in: project, keys))
        #expect(opened.uid == "uid-1" && opened.factorID == "factor-1" && opened.expiresAt == code.expiresAt)
    }

    @Test("the ticket of a TOTP enrollment keeps its bytes")
    func totpTicket() throws {
        let text =
            "AQABAgMEBQYHCAkKCwwNDg8AAAGLz-n82gHtiQHPlge4FnpyzH-SBcOPl1TdfC0bd9M3Zy-dVtcsnMiF32t3uRbfxMz_sCD" + "e50k"
        let secret = try #require(TOTPSecret(Array(0..<20)))
        let ticket = TOTPEnrollmentTicket(
            id: Array(0..<16),
            secret: secret,
            expiresAt: Instant(milliseconds: 1_700_000_300_250)
        )
        #expect(try ticket.text(for: account, keys, environment) == text)
        let opened = try #require(TOTPEnrollmentTicket(text, for: account, keys))
        #expect(opened.id == ticket.id && opened.secret.bytes == secret.bytes && opened.expiresAt == ticket.expiresAt)
    }

    @Test("an admin access token keeps its bytes")
    func adminAccessToken() throws {
        let text =
            "dts_eyJhY2NvdW50IjoibWFyay0xIiwiZXhwaXJlcyI6MTcwMDAwMzYwMH0.u33pD2-uW72vf0j9tZEhzbrd6VXtrg9Cx8X"
            + "KlBTDVw0"
        #expect(AdminAccessToken(mark: "mark-1", expiresAt: 1_700_003_600).text(keys) == text)
        let opened = try #require(AdminAccessToken(text, keys))
        #expect(opened.mark == "mark-1" && opened.expiresAt == 1_700_003_600)
    }

    @Test("a refresh token of each format keeps its bytes")
    func refreshToken() throws {
        let first = "AQAr7YkBz5YHuBZ6csx_9MNc6ub1qC0yxpPRlPXUvddQcaEliM-SKxgk0OMw75AQI6vx"
        let rotated = "AgAr7YkBz5YHuBZ6csx_9MNc6ub1qC0yxpPRlPXUvddQcaEliM-SKxgk0OMw75AQI6vxAAABAlOIu3p54z02gD9fTdwr2w4"
        let environment = environment
        let token = RefreshToken.make(in: account.shard, session: environment.randomBytes(16), environment)
        #expect(token.text(in: project, keys) == first)
        #expect(token.generation(258).text(in: project, keys) == rotated)
        for (text, generation) in [(first, 0), (rotated, 258)] {
            let opened = try #require(RefreshToken(text, in: project, keys, .standard))
            #expect(opened.generation == generation && opened.identity(in: project) == token.identity(in: project))
            #expect(opened.secretHash == token.secretHash && opened.shard == account.shard)
        }
    }

    @Test("an authorization code keeps its bytes")
    func authorizationCode() throws {
        let code = AuthorizationCode(in: shard, session: Array(0..<16), environment)
        let text = "AQAqAAECAwQFBgcICQoLDA0OD-2JAc-WB7gWenLMf_TDXOrm9agtMsaT0ZT11L3XUHGh"
        #expect(code.text == text)
        let opened = try #require(AuthorizationCode(text, .standard))
        #expect(opened.hash == code.hash && opened.identity(in: project) == code.identity(in: project))
    }

    @Test("values sealed in Redis keep their bytes")
    func stored() throws {
        let prefix = try #require(RangePrefix("+165055"))
        let sealed = Base64URL.string(try prefix.sealed(in: "demo-app", keys, environment))
        let expected = "Ae2JAc-WB7gWenLMf7k197mjZO6bwowegFh0GMTCYWh-nJKK"
        #expect(sealed == expected)
        let bytes = try #require(Base64URL.decode(expected.utf8))
        #expect(RangePrefix(sealed: bytes, in: "demo-app", keys) == prefix)
    }
}
