import Encodings
import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Requests that a client repeats under its own key because the answer was lost.
    @Suite struct IdempotencyKeyTests {
        let deployment: Deployment
        let hooks = TestHooks()
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550104"

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator(
                passwordHashing: try TestPasswordHashing.make(),
                hooks: hooks
            )
            project = deployment.projectWithEverything
        }

        /// Returns the operation of a request with a key, from the front end's next request.
        private func keyed(_ body: String, key: String = "0123456789abcdef", in project: Project? = nil) throws
            -> OperationContext
        {
            let key = try #require(IdempotencyKey(key, route: "r", body: Array(body.utf8)))
            let requester = Requester(
                actor: .user,
                requestID: Base64URL.string(deployment.clock.environment.randomBytes(16)),
                idempotencyKey: key
            )
            return authenticator.operation(in: project ?? self.project, for: requester)
        }

        private func sessionCount() -> Int {
            deployment.keyNames(matching: "*").count { $0.contains(":session:") }
        }

        @Test("for a minute, a used code signs in to the same session again, and not to a second one")
        func repeated() throws {
            let request = try authenticator.in(project).answered(number)
            let first = try keyed("a").signInWithPhoneNumber(request)
            let sessions = sessionCount()
            #expect(first.isNewUser && sessions > 0)
            deployment.clock.advance(by: .seconds(60))
            let second = try keyed("a").signInWithPhoneNumber(request)
            #expect(second.refreshToken == first.refreshToken && second.uid == first.uid && second.isNewUser)
            #expect(sessionCount() == sessions)
            #expect(authenticator.in(project).look(up: second.idToken) == .found(uid: first.uid))
            #expect(authenticator.in(project).refresh(first.refreshToken) == .refreshed(uid: first.uid))
            deployment.clock.advance(by: .milliseconds(1))
            #expect(throws: SignInWithPhoneNumberRefusal.self) {
                _ = try keyed("a").signInWithPhoneNumber(request)
            }
            #expect(sessionCount() == sessions)
        }

        @Test("a used code stays used without the key, under another key, and with another body under the same key")
        func others() throws {
            let request = try authenticator.in(project).answered(number)
            _ = try keyed("a").signInWithPhoneNumber(request)
            #expect(authenticator.in(project).answer(request) == .used)
            for operation in [try keyed("a", key: "fedcba9876543210"), try keyed("b")] {
                #expect(throws: SignInWithPhoneNumberRefusal.self) { try operation.signInWithPhoneNumber(request) }
            }
            let plain = try authenticator.in(project).answered("+16505550105")
            let front = Base64URL.string(deployment.clock.environment.randomBytes(16))
            #expect(authenticator.in(project).answer(plain, request: front).uid != nil)
            #expect(throws: SignInWithPhoneNumberRefusal.self) { try keyed("a").signInWithPhoneNumber(plain) }
        }

        @Test("under one key each guess counts, and a repeated guess tells nothing new")
        func guesses() throws {
            let session = try authenticator.in(project).session(for: number)
            let right = try authenticator.in(project).code(of: session)
            func answer(_ code: String) throws -> String {
                do {
                    _ = try keyed(code).signInWithPhoneNumber(
                        SignInWithPhoneNumberRequest(sessionInfo: session, code: code)
                    )
                    return "right"
                } catch SignInWithPhoneNumberRefusal.code(.codeWrong(let left, _)) {
                    return "wrong, \(left) left"
                } catch SignInWithPhoneNumberRefusal.code(.attemptsSpent) {
                    return "spent"
                }
            }
            let wrong = (0..<6).map { "\(100_000 + $0)" }.filter { $0 != right }.prefix(5)
            for (index, code) in wrong.enumerated() {
                for _ in 0..<3 { #expect(try answer(code) == "wrong, \(4 - index) left") }
            }
            #expect(try answer(right) == "spent")
            #expect(try authenticator.in(project).limits(of: number).wrongCodes.value == 5)
        }

        @Test("a session that was revoked or whose account was disabled does not come back")
        func ended() throws {
            let request = try authenticator.in(project).answered(number)
            let signedIn = try keyed("a").signInWithPhoneNumber(request)
            let account = try #require(deployment.accountKey(of: signedIn.uid))
            deployment.cli("HINCRBY", account, "revocation", "1")
            #expect(throws: SignInWithPhoneNumberRefusal.self) { try keyed("a").signInWithPhoneNumber(request) }
            deployment.cli("HINCRBY", account, "revocation", "-1")
            deployment.cli("HSET", account, "disabled", "1")
            #expect(throws: SignInWithPhoneNumberRefusal.self) { try keyed("a").signInWithPhoneNumber(request) }
        }

        @Test("a repeated sign-up opens neither an account that was secured meanwhile, nor a session that has ended")
        func secured() throws {
            let first = try keyed("a").signUpAnonymously()
            _ = try authenticator.in(project).link(number, to: first.idToken)
            #expect(throws: SignUpRefusal.self) { try keyed("a").signUpAnonymously() }
            let second = try keyed("b").signUpAnonymously()
            let session = try #require(authenticator.in(project).userSessions(uid: second.account.uid).first)
            try authenticator.in(project).endUserSession(session.id, uid: second.account.uid)
            #expect(throws: SignUpRefusal.self) { try keyed("b").signUpAnonymously() }
            deployment.clock.advance(by: .milliseconds(60_001))
            for body in ["a", "b"] {
                let new = try keyed(body).signUpAnonymously()
                #expect(new.isNewUser && ![first.account.uid, second.account.uid].contains(new.account.uid))
            }
        }

        @Test("a repeated answer for another account's number returns a proof that both answers share")
        func temporaryProofs() throws {
            let owner = try authenticator.in(project).signIn(number)
            let other = try authenticator.in(project).signIn("+16505550106")
            let request = try authenticator.in(project).answered(number, idToken: other.idToken)
            func proof() throws -> String {
                do {
                    _ = try keyed("a").signInWithPhoneNumber(request)
                    return ""
                } catch SignInWithPhoneNumberRefusal.numberOfAnotherAccount(_, let proof) {
                    return proof
                }
            }
            let proofs = [try proof(), try proof()]
            func use(_ proof: String, _ body: String) throws -> SignedIn {
                try keyed(body).signInWithPhoneNumber(
                    SignInWithPhoneNumberRequest(.temporaryProof(proof, phoneNumber: number))
                )
            }
            let first = try use(proofs[0], "b")
            #expect(first.uid == owner.uid)
            #expect(try use(proofs[0], "b").refreshToken == first.refreshToken)
            #expect(throws: SignInWithPhoneNumberRefusal.self) { try use(proofs[1], "c") }
            deployment.clock.advance(by: .milliseconds(60_001))
            #expect(throws: SignInWithPhoneNumberRefusal.self) { try use(proofs[0], "b") }
        }

        @Test("a repeated sign-up returns its account again for a minute; later it creates and returns none")
        func signUps() throws {
            let form = PasswordSignUpRequest(email: "ada@example.com", password: "correct horse", displayName: nil)
            let first = try keyed("a").signUpWithPassword(form)
            let anonymous = try keyed("b").signUpAnonymously()
            deployment.clock.advance(by: .seconds(30))
            let again = try keyed("a").signUpWithPassword(form)
            #expect(again.refreshToken == first.refreshToken && again.isNewUser)
            #expect(try keyed("b").signUpAnonymously().refreshToken == anonymous.refreshToken)
            #expect(try keyed("c").signUpAnonymously().account.uid != anonymous.account.uid)
            deployment.clock.advance(by: .seconds(31))
            #expect(throws: SignUpRefusal.self) { try keyed("a").signUpWithPassword(form) }
            #expect(try authenticator.in(project).accounts().count == 3)
        }

        @Test("hooks are asked once about a sign-in that the client repeats, and the answer has their claims again")
        func hooked() throws {
            hooks.answer { question in
                guard question.event == .beforeSignIn else { return .allowed }
                return .changing("sessionClaims", #""sessionClaims":{"level":7}"#)
            }
            let project = deployment.project(with: try .example())
            let request = try authenticator.in(project).answered(number)
            let first = try keyed("a", in: project).signInWithPhoneNumber(request)
            #expect(hooks.asked().count == 2)
            hooks.answer { _ in .answered(status: 403, body: Array("{}".utf8)) }
            let second = try keyed("a", in: project).signInWithPhoneNumber(request)
            #expect(hooks.asked().isEmpty && second.refreshToken == first.refreshToken)
            for token in [first.idToken, second.idToken] { #expect(try Claims(token).number("level") == 7) }
        }

        @Test("a key that could be guessed, or that is no printable text, is rejected")
        func malformed() {
            let lengths = [0, 15, 129].map { String(repeating: "a", count: $0) }
            for text in lengths + ["0123456789abcde\u{E9}", "0123456789abcdef\n"] {
                #expect(IdempotencyKey(text, route: "r", body: []) == nil)
            }
            #expect(IdempotencyKey(#""0123-4567-89ab-cd""#, route: "r", body: []) != nil)
        }
    }
}
