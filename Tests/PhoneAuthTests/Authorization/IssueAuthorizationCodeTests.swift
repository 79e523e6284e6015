import Encodings
import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct IssueAuthorizationCodeTests: AuthorizationCodeSuite {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let signedIn: SignedIn

        init() throws {
            (deployment, authenticator, project, signedIn) = try Self.deploy()
        }

        @Test("only a recent sign-in gets a code, so a stolen ID token does not become a refresh token")
        func recent() throws {
            deployment.clock.advance(by: .seconds(300))
            #expect(try issueOutcome() == .found(uid: signedIn.uid))
            deployment.clock.advance(by: .seconds(1))
            #expect(try issueOutcome() == .signInTooOld)
            let refreshed = try authenticator.in(project).exchangeRefreshToken(signedIn.refreshToken)
            #expect(try issueOutcome(idToken: refreshed.idToken) == .signInTooOld)
        }

        @Test("a session has one code at a time, and an earlier code ends nothing")
        func replaced() throws {
            let (first, second) = (try issue(), try issue())
            #expect(exchange(first) == .unknown)
            #expect(exchange(second) == .exchanged(uid: signedIn.uid))
        }

        @Test("once an app has the session, its page gets no further code, which would hide a second use")
        func afterExchange() throws {
            let code = try issue()
            #expect(exchange(code) == .exchanged(uid: signedIn.uid))
            #expect(try issueOutcome() == .revoked)
            #expect(exchange(code, request: "2") == .reused)
        }

        @Test("Redis stores neither the code, its secret nor a token, and deletes the entry after a minute")
        func atRest() throws {
            let code = try issue()
            let key = try #require(deployment.keyNames(matching: "*:authorization-code:*").first)
            let contents = deployment.contents().map { $0.key + $0.value }.joined()
            let secret = String(code.suffix(43))
            for text in [code, secret, Self.verifier, Self.redirectURI, signedIn.refreshToken, signedIn.idToken] {
                #expect(!contents.contains(text))
            }
            #expect(try (1...60_000).contains(#require(Int64(deployment.cli("PTTL", key)))))
            deployment.cli("PEXPIRE", key, "1")
            #expect(try becomes("0") { deployment.cli("EXISTS", key) })
            #expect(exchange(code) == .unknown)
        }

        @Test("a session whose code is never exchanged ends with the code, and an exchange restores its idle time")
        func abandoned() throws {
            let key = try #require(deployment.keyNames(matching: "*:session:*").first)
            func timeToLive() throws -> Int64 { try #require(Int64(deployment.cli("PTTL", key))) }
            #expect(try timeToLive() > 86_400_000)
            let code = try issue()
            #expect(try (1...60_000).contains(timeToLive()))
            #expect(exchange(code) == .exchanged(uid: signedIn.uid))
            #expect(try timeToLive() > 86_400_000)
        }
    }
}
