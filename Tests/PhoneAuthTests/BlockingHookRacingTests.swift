import Encodings
import RedisStore
import Synchronization
import TestServers
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// What happens while hooks think.
    @Suite struct BlockingHookRacingTests {
        let deployment: Deployment
        let hooks = TestHooks()
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550185"

        init() throws {
            deployment = try Deployment { policy in
                policy.sendsPerNumberPerHour = 1000
                policy.sendsPerNumberPerDay = 1000
                policy.sendsPerNetworkPerHour = 1000
            }
            authenticator = deployment.authenticator(hooks: hooks)
            project = deployment.project(with: try .example())
        }

        private func requests(_ count: Int) throws -> [SignInWithPhoneNumberRequest] {
            try (0..<count).map { try authenticator.answered(number, client: $0, in: project) }
        }

        @Test("racing sign-ins of a new number make one account, under a uid that its hook allowed")
        func newNumber() throws {
            let requests = try requests(6)
            let outcomes = try inParallel(requests.count) { [deployment, project, hooks] racer in
                deployment.authenticator(hooks: hooks).answer(requests[racer], in: project)
            }
            let uids = Set(outcomes.map(\.uid))
            #expect(uids.count == 1 && !uids.contains(nil))
            #expect(outcomes.count { if case .signedIn(_, isNew: true) = $0 { true } else { false } } == 1)
            let allowed = hooks.asked().filter { $0.event == .beforeCreate }.map(\.uid)
            #expect(uids.isSubset(of: allowed))
            #expect(try authenticator.accounts(of: project).count == 1)
            try authenticator.expectSoundAccounts(of: project)
        }

        @Test("where a hook is of two minds about racing sign-ins, no account is lost, doubled or half")
        func undecided() throws {
            let requests = try requests(8)
            let counter = Counter()
            hooks.answer { _ in counter.next().isMultiple(of: 3) ? .denied() : .allowed }
            let outcomes = try inParallel(requests.count) { [deployment, project, hooks] racer in
                deployment.authenticator(hooks: hooks).answer(requests[racer], in: project)
            }
            let uids = Set(outcomes.compactMap(\.uid))
            #expect(uids.count <= 1)
            try authenticator.expectSoundAccounts(of: project)
            #expect(Set(try authenticator.accounts(of: project).keys) == uids)
            hooks.answer { _ in .allowed }
            let last = try authenticator.signIn(number, in: project).uid
            #expect(uids.isEmpty || uids == [last])
            try authenticator.expectSoundAccounts(of: project)
        }

        private final class Counter: Sendable {
            private let value = Atomic<Int>(0)

            func next() -> Int { value.add(1, ordering: .relaxed).newValue }
        }

        @Test("an account that is deleted while its hook thinks is not made again, and its number gets another one")
        func deleted() throws {
            let user = try authenticator.signIn(number, in: project)
            _ = hooks.asked()
            hooks.answer { [deployment, project] question in
                if question.uid == user.uid {
                    try? deployment.authenticator().deleteAccount(idToken: user.idToken, requestID: "d", in: project)
                }
                return .allowed
            }
            let again = try authenticator.signIn(number, in: project)
            #expect(again.uid != user.uid && again.isNewUser)
            #expect(hooks.asked().map(\.event) == [.beforeSignIn, .beforeCreate, .beforeSignIn])
            #expect(try authenticator.accounts(of: project).count == 1)
            try authenticator.expectSoundAccounts(of: project)
        }

        @Test("an address that is taken while a hook thinks is not verified by what the hook said of another one")
        func changedAddress() throws {
            let passwords = try TestPasswordHashing.make()
            let authenticator = deployment.authenticator(passwordHashing: passwords, hooks: hooks)
            let user = try authenticator.signIn(number, in: project)
            let changed = try authenticator.change(user.idToken, email: "ada@example.com", in: project)
            let idToken = try #require(changed.tokens?.idToken)
            _ = hooks.asked()
            // The change in the meantime asks no hook.
            let unhooked = deployment.projectWithEverything
            hooks.answer { [deployment] question in
                guard question.user.text("email") == "ada@example.com" else { return .allowed }
                let other = deployment.authenticator(passwordHashing: passwords)
                _ = try? other.change(idToken, email: "eve@example.com", in: unhooked)
                return .changing("emailVerified", #""emailVerified":true"#)
            }
            #expect(try authenticator.signIn(number, in: project).uid == user.uid)
            #expect(hooks.asked().map { $0.user.text("email") } == ["ada@example.com", "eve@example.com"])
            let account = try #require(try authenticator.accounts(of: project)[user.uid])
            #expect(account.email == "eve@example.com" && !account.isEmailVerified)
            hooks.answer { _ in .changing("emailVerified", #""emailVerified":true"#) }
            _ = try authenticator.signIn(number, in: project)
            #expect(try authenticator.accounts(of: project)[user.uid]?.isEmailVerified == true)
        }

        @Test(
            "what a worker began that died over a hook goes on under the same uid, and when it is too old under a new one"
        )
        func died() throws {
            let phone = authenticator.identity(of: number, in: project)
            let claim = authenticator.newClaim(uid: "of-a-dead-worker", at: deployment.clock.now)
            #expect(try authenticator.store.claimIdentifier(phone, claim, replacing: nil) == claim)
            #expect(try authenticator.signIn(number, in: project).uid == "of-a-dead-worker")
            #expect(Set(hooks.asked().map(\.uid)) == ["of-a-dead-worker"])

            let other = "+16505550186"
            let old = authenticator.newClaim(uid: "too-old", at: deployment.clock.now)
            let otherPhone = authenticator.identity(of: other, in: project)
            #expect(try authenticator.store.claimIdentifier(otherPhone, old, replacing: nil) == old)
            deployment.clock.advance(by: Policy.claimFreshness)
            let uid = try authenticator.signIn(other, in: project).uid
            #expect(uid != "too-old" && Set(hooks.asked().map(\.uid)) == [uid])
            try authenticator.expectSoundAccounts(of: project)
        }
    }
}
