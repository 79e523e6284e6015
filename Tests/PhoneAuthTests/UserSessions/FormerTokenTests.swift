import Encodings
import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// The seconds after a change by a session, in which other tabs of the browser still have the session's former
    /// tokens.
    @Suite struct FormerTokenTests: SecondFactorSuite {
        /// A change that revokes all tokens of the account and continues the session.
        enum Change: CaseIterable {
            case enroll, withdraw, password, email
        }

        private typealias Tokens = (uid: String, idToken: String, refreshToken: String)

        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project

        init() throws {
            let ofServer: Authenticator
            (deployment, ofServer, project) = try Deployment.withSecondFactors()
            authenticator = ofServer.working(for: Self.client("192.0.2.1"))
        }

        private static func client(_ address: String?) -> Requester {
            Requester(actor: .user, clientAddress: address)
        }

        private var context: OperationContext { authenticator.in(project) }

        /// Returns the tokens of a session before and after its change.
        private func tokens(
            around change: Change,
            by authenticator: Authenticator? = nil
        ) throws -> (former: Tokens, present: Tokens) {
            let context = (authenticator ?? self.authenticator).in(project)
            var user = try context.secondFactorUser()
            if change == .withdraw { user = try context.enrollApp(user.idToken).tokens }
            let renewed: IssuedTokens
            switch change {
            case .enroll: renewed = try context.enrollApp(user.idToken).tokens
            case .withdraw:
                let id = try #require(user.account.secondFactors.first).id
                renewed = try context.withdrawSecondFactor(id, idToken: user.idToken)
            case .password: renewed = try #require(try context.change(user.idToken, password: "other horse").tokens)
            case .email: renewed = try #require(try context.change(user.idToken, email: "bo@example.com").tokens)
            }
            let uid = user.account.uid
            return ((uid, user.idToken, user.refreshToken), (uid, renewed.idToken, renewed.refreshToken))
        }

        private func lookUp(_ idToken: String, _ authenticator: Authenticator? = nil) -> LookupOutcome {
            do {
                let context = (authenticator ?? self.authenticator).in(project)
                return .found(uid: try context.lookUpAccount(idToken: idToken).account.uid)
            } catch {
                return LookupOutcome(error)
            }
        }

        @Test(
            "`lookup` and `token` accept the former tokens for ten seconds, and `token` returns tokens that last",
            arguments: Change.allCases
        )
        func accepted(change: Change) throws {
            let (former, present) = try tokens(around: change)
            deployment.clock.advance(by: .milliseconds(9999))
            let found = try context.lookUpAccount(idToken: former.idToken)
            #expect(found.byFormerToken && found.account.uid == present.uid)
            #expect(try !context.lookUpAccount(idToken: present.idToken).byFormerToken)
            let refreshed = try context.exchangeRefreshToken(former.refreshToken)
            // A repeated request has the same response.
            #expect(try context.exchangeRefreshToken(former.refreshToken).refreshToken == refreshed.refreshToken)
            deployment.clock.advance(by: .seconds(100))
            // A copy of the former token is not valid, although another tab used it.
            #expect(context.refresh(former.refreshToken) == .revoked)
            for token in [refreshed.refreshToken, present.refreshToken] {
                let idToken = try context.exchangeRefreshToken(token).idToken
                #expect(context.look(up: idToken) == .found(uid: found.account.uid))
            }
            #expect(context.look(up: refreshed.idToken) == .found(uid: found.account.uid))
        }

        @Test("after ten seconds, the former tokens are revoked", arguments: Change.allCases)
        func ended(change: Change) throws {
            let (former, present) = try tokens(around: change)
            deployment.clock.advance(by: .seconds(10))
            #expect(lookUp(former.idToken) == .revoked)
            #expect(context.refresh(former.refreshToken) == .revoked)
            #expect(context.look(up: present.idToken) != .revoked)
        }

        @Test("every other operation rejects a former ID token at once", arguments: Change.allCases)
        func otherOperations(change: Change) throws {
            let (former, present) = try tokens(around: change)
            let token = former.idToken
            #expect(context.look(up: token) == .revoked)
            #expect(throws: (any Error).self) { try context.updateAccount(of: token) { $0.displayName = .set("x") } }
            #expect(throws: (any Error).self) { try context.repeating("d").deleteAccount(idToken: token) }
            #expect(throws: (any Error).self) { try context.makeRecoveryCodes(idToken: token) }
            #expect(throws: (any Error).self) { try context.userSessions(idToken: token) }
            #expect(throws: (any Error).self) { try context.startEnrollment("+16505550166", token) }
            #expect(context.look(up: present.idToken) != .revoked)
        }

        @Test("the tokens of other sessions end at once", arguments: [Change.password, .email])
        func otherSessions(change: Change) throws {
            let first = try context.secondFactorUser()
            let second = try #require(
                try context.repeating("other").signInWithPassword(
                    SignInWithPasswordRequest(
                        email: "ada@example.com",
                        password: "correct horse",
                        client: ClientDescription(networkAddress: "192.0.2.1")
                    )
                ).tokens
            )
            try context.change(
                second.idToken,
                email: change == .email ? "bo@example.com" : nil,
                password: change == .password ? "other horse" : nil
            )
            #expect(lookUp(first.idToken) == .revoked)
            #expect(context.refresh(first.refreshToken) == .revoked)
            #expect(lookUp(second.idToken) == .found(uid: second.account.uid))
        }

        @Test(
            "a later revocation by someone else, or the end of the session, ends the former tokens, too",
            arguments: ["operator", "everywhere", "disabled", "session", "deleted"]
        )
        func otherRevocations(kind: String) throws {
            let (former, present) = try tokens(around: .password)
            switch kind {
            case "operator":
                var change = AccountChange()
                change.password = .set("third horse")
                _ = try context.changeAccount(uid: present.uid, change)
            case "everywhere": _ = try context.updateAccount(of: present.idToken) { $0.revokesTokens = true }
            case "disabled":
                var change = AccountChange()
                change.isDisabled = true
                _ = try context.changeAccount(uid: present.uid, change)
            case "session":
                let id = try #require(try context.userSessions(idToken: present.idToken).first).id
                try context.endUserSession(id, idToken: present.idToken)
            default: try authenticator.in(project, request: "d").deleteAccount(idToken: present.idToken)
            }
            #expect(![.found(uid: present.uid)].contains(lookUp(former.idToken)))
            #expect(![.refreshed(uid: present.uid)].contains(context.refresh(former.refreshToken)))
        }

        @Test("signing out everywhere revokes the session's own former tokens at once")
        func everywhere() throws {
            let user = try context.secondFactorUser()
            _ = try context.updateAccount(of: user.idToken) {
                $0.revokesTokens = true
                $0.password = .set("other horse")
            }
            #expect(lookUp(user.idToken) == .revoked)
            #expect(context.refresh(user.refreshToken) == .revoked)
        }

        @Test("the tokens from before the change before last are revoked")
        func twice() throws {
            let (former, present) = try tokens(around: .password)
            try context.change(present.idToken, password: "third horse")
            #expect(lookUp(former.idToken) == .revoked)
            #expect(context.refresh(former.refreshToken) == .revoked)
            #expect(lookUp(present.idToken) != .revoked)
        }

        @Test("former tokens are accepted only from the network of the change")
        func networks() throws {
            let (former, _) = try tokens(around: .password)
            for address in ["198.51.100.1", nil] {
                let stranger = authenticator.working(for: Self.client(address))
                #expect(lookUp(former.idToken, stranger) == .revoked)
                #expect(stranger.in(project).refresh(former.refreshToken) == .revoked)
            }
            #expect(lookUp(former.idToken) != .revoked)
            #expect(context.refresh(former.refreshToken) != .revoked)
        }

        @Test("if the networks of clients are unknown, former tokens end at once")
        func unknownNetworks() throws {
            let unknown = authenticator.working(for: Self.client(nil))
            let (former, _) = try tokens(around: .password, by: unknown)
            #expect(lookUp(former.idToken, unknown) == .revoked)
            #expect(unknown.in(project).refresh(former.refreshToken) == .revoked)
        }

        @Test("with rotation, a former token that was replaced long before the change counts as reused")
        func rotated() throws {
            let rotating = deployment.authenticator(passwordHashing: try TestPasswordHashing.make()) {
                $0.rotatesRefreshTokens = true
            }
            let context = rotating.working(for: Self.client("192.0.2.1")).in(project)
            let user = try context.secondFactorUser()
            var refreshed = try context.exchangeRefreshToken(user.refreshToken)
            refreshed = try context.exchangeRefreshToken(refreshed.refreshToken)
            try context.change(refreshed.idToken, password: "other horse")
            #expect(context.refresh(refreshed.refreshToken) == .refreshed(uid: user.account.uid))
            #expect(context.refresh(user.refreshToken) == .reused)
        }

        @Test("with rotation, a tab's use of a former token ends neither its session nor the present tokens")
        func rotatedBeside() throws {
            let rotating = deployment.authenticator(passwordHashing: try TestPasswordHashing.make()) {
                $0.rotatesRefreshTokens = true
            }
            let context = rotating.working(for: Self.client("192.0.2.1")).in(project)
            let user = try context.secondFactorUser()
            let present = try #require(try context.change(user.idToken, password: "other horse").tokens)
            var refreshed = try context.exchangeRefreshToken(user.refreshToken)
            refreshed = try context.exchangeRefreshToken(refreshed.refreshToken)
            refreshed = try context.exchangeRefreshToken(refreshed.refreshToken)
            #expect(context.refresh(present.refreshToken) == .refreshed(uid: user.account.uid))
            #expect(context.refresh(refreshed.refreshToken) == .refreshed(uid: user.account.uid))
        }

        @Test("linking a number revokes nothing, so the former tokens last")
        func number() throws {
            let user = try context.secondFactorUser()
            let linked = try context.link("+16505550167", to: user.idToken)
            #expect(linked.uid == user.account.uid)
            deployment.clock.advance(by: .seconds(10))
            #expect(try !context.lookUpAccount(idToken: user.idToken).byFormerToken)
            #expect(context.refresh(user.refreshToken) == .refreshed(uid: user.account.uid))
        }
    }
}
