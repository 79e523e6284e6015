import PhoneAuth
import TestServers
import Testing

extension PhoneAuthTests {
    @Suite struct ExchangeRefreshTokenRotationTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let first: String
        let uid: String

        init() throws {
            deployment = try Deployment { $0.rotatesRefreshTokens = true }
            authenticator = deployment.authenticator()
            project = deployment.project
            let signedIn = try authenticator.in(project).signIn("+16505550166")
            (first, uid) = (signedIn.refreshToken, signedIn.uid)
        }

        private func next(_ token: String) throws -> String {
            let refreshed = try authenticator.in(project).exchangeRefreshToken(token)
            #expect(refreshed.uid == uid)
            return refreshed.refreshToken
        }

        private func outcome(_ token: String) -> RefreshOutcome { authenticator.in(project).refresh(token) }

        @Test("each use gives a new token, and Redis stores one hash for all of them")
        func rotation() throws {
            var tokens = [first]
            for _ in 0..<5 {
                tokens.append(try next(try #require(tokens.last)))
                deployment.clock.advance(by: .seconds(3600))
            }
            #expect(Set(tokens).count == 6)
            #expect(deployment.keyNames(matching: "*:session:*").count == 1)
            for secret in tokens { #expect(!deployment.contents().values.contains { $0.contains(secret) }) }
        }

        @Test("within a minute, the previous token gets the same successor, however often it is used")
        func grace() throws {
            let outcomes = try inParallel(8) { [deployment, project, first] _ in
                try deployment.authenticator().in(project).exchangeRefreshToken(first).refreshToken
            }
            #expect(Set(outcomes).count == 1)
            deployment.clock.advance(by: .milliseconds(59_999))
            let second = try next(first)
            #expect(second == outcomes[0])
            #expect(try next(second) != second)
        }

        @Test("a token replayed after a minute ends all generations of its session")
        func reuse() throws {
            let second = try next(first)
            deployment.clock.advance(by: .seconds(60))
            #expect(outcome(first) == .reused)
            for token in [first, second] { #expect(outcome(token) == .revoked) }
            // Other sessions of the account continue.
            let other = try authenticator.in(project).signIn("+16505550166")
            #expect(outcome(other.refreshToken) == .refreshed(uid: uid))
        }

        @Test("a token two generations old counts as reused immediately")
        func twoAgo() throws {
            let third = try next(try next(first))
            #expect(outcome(first) == .reused)
            #expect(outcome(third) == .revoked)
        }

        @Test("a generation that Redis lost with its last writes is accepted")
        func lostWrite() throws {
            let second = try next(first)
            let key = try #require(deployment.keyNames(matching: "*:session:*").first)
            deployment.cli("HDEL", key, "generation", "rotated")
            let third = try next(second)
            #expect(try next(third) != third)
            deployment.clock.advance(by: .seconds(60))
            #expect(outcome(second) == .reused)
        }

        @Test("no one can forge the next generation, or use a token in another project or deployment")
        func forgery() throws {
            let second = try next(first)
            for index in stride(from: 0, to: second.utf8.count, by: 5) {
                var bytes = Array(second.utf8)
                bytes[index] = bytes[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
                let altered = outcome(String(decoding: bytes, as: UTF8.self))
                // The first character is that of the format.
                #expect(altered == (index == 0 ? .malformed : .unknown), "character \(index)")
            }
            #expect(authenticator.in(Project(id: "other-app", authorizedDomains: [])).refresh(second) == .unknown)
            let stranger = deployment.authenticator(keys: try TestKeys.make(seed: 2))
            #expect(stranger.in(project).refresh(second) == .unknown)
            #expect(try next(second) != second)
        }

        @Test("if rotation is disabled again, the current token is kept, and earlier tokens still count as reused")
        func turnedOff() throws {
            let second = try next(first)
            let off = deployment.authenticator { $0.rotatesRefreshTokens = false }
            deployment.clock.advance(by: .seconds(3600))
            for _ in 0..<2 { #expect(try off.in(project).exchangeRefreshToken(second).refreshToken == second) }
            #expect(off.in(project).refresh(first) == .reused)
            #expect(off.in(project).refresh(second) == .revoked)
        }
    }
}
