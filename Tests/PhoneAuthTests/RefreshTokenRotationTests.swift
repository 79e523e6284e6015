import PhoneAuth
import TestServers
import Testing

extension PhoneAuthTests {
    @Suite struct RefreshTokenRotationTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let first: String
        let uid: String

        init() throws {
            deployment = try Deployment { $0.rotatesRefreshTokens = true }
            authenticator = deployment.authenticator()
            project = deployment.project
            let signedIn = try authenticator.signIn("+16505550166", in: project)
            (first, uid) = (signedIn.refreshToken, signedIn.uid)
        }

        private func next(_ token: String) throws -> String {
            let refreshed = try authenticator.exchangeRefreshToken(token, in: project)
            #expect(refreshed.uid == uid)
            return refreshed.refreshToken
        }

        private func outcome(_ token: String) -> RefreshOutcome { authenticator.refresh(token, in: project) }

        @Test("each use gives another token, and Redis keeps one hash for all of them")
        func rotation() throws {
            var tokens = [first]
            for _ in 0..<5 {
                tokens.append(try next(try #require(tokens.last)))
                deployment.clock.advance(by: .seconds(3600))
            }
            #expect(Set(tokens).count == 6)
            #expect(deployment.keyNames(matching: "*:refresh:*").count == 1)
            for secret in tokens { #expect(!deployment.contents().values.contains { $0.contains(secret) }) }
        }

        @Test("within a minute the token before is given the same next one again, however many ask at once")
        func grace() throws {
            let outcomes = try inParallel(8) { [deployment, project, first] _ in
                try deployment.authenticator().exchangeRefreshToken(first, in: project).refreshToken
            }
            #expect(Set(outcomes).count == 1)
            deployment.clock.advance(by: .milliseconds(59_999))
            let second = try next(first)
            #expect(second == outcomes[0])
            #expect(try next(second) != second)
        }

        @Test("a token that comes back after a minute ends all its generations, for whoever has them")
        func reuse() throws {
            let second = try next(first)
            deployment.clock.advance(by: .seconds(60))
            #expect(outcome(first) == .reused)
            for token in [first, second] { #expect(outcome(token) == .revoked) }
            // Other sign-ins of the account go on.
            let other = try authenticator.signIn("+16505550166", in: project)
            #expect(outcome(other.refreshToken) == .refreshed(uid: uid))
        }

        @Test("one of two generations ago is taken for a copy at once")
        func twoAgo() throws {
            let third = try next(try next(first))
            #expect(outcome(first) == .reused)
            #expect(outcome(third) == .revoked)
        }

        @Test("a generation that Redis forgot, because it lost its last writes, is good")
        func lostWrite() throws {
            let second = try next(first)
            let key = try #require(deployment.keyNames(matching: "*:refresh:*").first)
            deployment.cli("HDEL", key, "generation", "rotated")
            let third = try next(second)
            #expect(try next(third) != third)
            deployment.clock.advance(by: .seconds(60))
            #expect(outcome(second) == .reused)
        }

        @Test("nobody makes the next generation of a token, or takes one to another project or server")
        func forgery() throws {
            let second = try next(first)
            for index in stride(from: 0, to: second.utf8.count, by: 5) {
                var bytes = Array(second.utf8)
                bytes[index] = bytes[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
                let altered = outcome(String(decoding: bytes, as: UTF8.self))
                // The first character is of the format.
                #expect(altered == (index == 0 ? .malformed : .unknown), "character \(index)")
            }
            #expect(authenticator.refresh(second, in: Project(id: "other-app", authorizedDomains: [])) == .unknown)
            let stranger = deployment.authenticator(keys: try TestKeys.make(seed: 2))
            #expect(stranger.refresh(second, in: project) == .unknown)
            #expect(try next(second) != second)
        }

        @Test("turned off again, the current generation is kept, and earlier ones are still copies")
        func turnedOff() throws {
            let second = try next(first)
            let off = deployment.authenticator { $0.rotatesRefreshTokens = false }
            deployment.clock.advance(by: .seconds(3600))
            for _ in 0..<2 { #expect(try off.exchangeRefreshToken(second, in: project).refreshToken == second) }
            #expect(off.refresh(first, in: project) == .reused)
            #expect(off.refresh(second, in: project) == .revoked)
        }
    }
}
