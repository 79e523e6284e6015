import Encodings
import RedisScripts
import Synchronization
import Testing
import TestServers

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Concurrent changes during hook calls.
    @Suite struct IssueTokensCallingHooksRaceTests {
        let deployment: Deployment
        let hooks = TestHooks()
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550185"

        init() throws {
            (deployment, authenticator, project) = try Deployment.withHooks(hooks)
        }

        private func requests(_ count: Int) throws -> [SignInWithPhoneNumberRequest] {
            try (0..<count).map { try authenticator.in(project).answered(number, client: $0) }
        }

        @Test("racing sign-ins of a new number create one account, with a uid that a hook allowed")
        func newNumber() throws {
            let requests = try requests(6)
            let outcomes = try inParallel(requests.count) { [deployment, project, hooks] racer in
                deployment.authenticator(hooks: hooks).in(project).answer(requests[racer])
            }
            let uids = Set(outcomes.map(\.uid))
            #expect(uids.count == 1 && !uids.contains(nil))
            #expect(outcomes.count { if case .signedIn(_, isNew: true) = $0 { true } else { false } } == 1)
            let allowed = hooks.asked().filter { $0.event == .beforeCreate }.map(\.uid)
            #expect(uids.isSubset(of: allowed))
            #expect(try authenticator.in(project).accounts().count == 1)
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("if hooks answer racing sign-ins differently, no account is lost, duplicated or incomplete")
        func undecided() throws {
            let requests = try requests(8)
            let counter = Counter()
            hooks.answer { _ in counter.next().isMultiple(of: 3) ? .denied() : .allowed }
            let outcomes = try inParallel(requests.count) { [deployment, project, hooks] racer in
                deployment.authenticator(hooks: hooks).in(project).answer(requests[racer])
            }
            let uids = Set(outcomes.compactMap(\.uid))
            #expect(uids.count <= 1)
            try authenticator.in(project).expectSoundAccounts()
            #expect(Set(try authenticator.in(project).accounts().keys) == uids)
            hooks.answer { _ in .allowed }
            let last = try authenticator.in(project).signIn(number).uid
            #expect(uids.isEmpty || uids == [last])
            try authenticator.in(project).expectSoundAccounts()
        }

        private final class Counter: Sendable {
            private let value = Atomic<Int>(0)

            func next() -> Int { value.add(1, ordering: .relaxed).newValue }
        }

        @Test("an account deleted during a hook call is not recreated, and its number gets a new account")
        func deleted() throws {
            let user = try authenticator.in(project).signIn(number)
            _ = hooks.asked()
            hooks.answer { [deployment, project] question in
                if question.uid == user.uid {
                    try? deployment.authenticator().in(project, request: "d").deleteAccount(idToken: user.idToken)
                }
                return .allowed
            }
            let again = try authenticator.in(project).signIn(number)
            #expect(again.uid != user.uid && again.isNewUser)
            #expect(hooks.asked().map(\.event) == [.beforeSignIn, .beforeCreate, .beforeSignIn])
            #expect(try authenticator.in(project).accounts().count == 1)
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("if an address changes during a hook call, the hook's response does not verify the new address")
        func changedAddress() throws {
            let passwords = try TestPasswordHashing.make()
            let authenticator = deployment.authenticator(passwordHashing: passwords, hooks: hooks)
            let user = try authenticator.in(project).signIn(number)
            let changed = try authenticator.in(project).change(user.idToken, email: "ada@example.com")
            let idToken = try #require(changed.tokens?.idToken)
            _ = hooks.asked()
            // The concurrent change calls no hook.
            let unhooked = deployment.projectWithEverything
            hooks.answer { [deployment] question in
                guard question.user.text("email") == "ada@example.com" else { return .allowed }
                let other = deployment.authenticator(passwordHashing: passwords)
                _ = try? other.in(unhooked).change(idToken, email: "eve@example.com")
                return .changing("emailVerified", #""emailVerified":true"#)
            }
            #expect(try authenticator.in(project).signIn(number).uid == user.uid)
            #expect(hooks.asked().map { $0.user.text("email") } == ["ada@example.com", "eve@example.com"])
            let account = try #require(try authenticator.in(project).accounts()[user.uid])
            #expect(account.email == "eve@example.com" && !account.isEmailVerified)
            hooks.answer { _ in .changing("emailVerified", #""emailVerified":true"#) }
            _ = try authenticator.in(project).signIn(number)
            #expect(try authenticator.in(project).accounts()[user.uid]?.isEmailVerified == true)
        }

        @Test(
            "after a worker died in a hook call, a sign-in resumes with the same uid, or with a new one if too late"
        )
        func died() throws {
            let phone = authenticator.in(project).identity(of: number)
            let claim = authenticator.in(project).newClaim(uid: "of-a-dead-worker")
            #expect(try authenticator.store.claimIdentifier(phone, claim, replacing: nil) == claim)
            #expect(try authenticator.in(project).signIn(number).uid == "of-a-dead-worker")
            #expect(Set(hooks.asked().map(\.uid)) == ["of-a-dead-worker"])

            let other = "+16505550186"
            let old = authenticator.in(project).newClaim(uid: "too-old")
            let otherPhone = authenticator.in(project).identity(of: other)
            #expect(try authenticator.store.claimIdentifier(otherPhone, old, replacing: nil) == old)
            deployment.clock.advance(by: IdentifierClaim.freshness)
            let uid = try authenticator.in(project).signIn(other).uid
            #expect(uid != "too-old" && Set(hooks.asked().map(\.uid)) == [uid])
            try authenticator.in(project).expectSoundAccounts()
        }
    }
}
