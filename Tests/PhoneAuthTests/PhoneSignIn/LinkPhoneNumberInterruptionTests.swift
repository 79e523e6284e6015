import Encodings
import PhoneNumbers
import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Links whose worker died between two steps. Each step is a call of the store, and the steps after it are omitted.
    @Suite struct LinkPhoneNumberInterruptionTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let first = "+16505550162"
        let second = "+16505550163"

        init() throws {
            (deployment, authenticator) = try Deployment.ofManyMessages()
            project = deployment.project
        }

        /// The step after which a worker died while it linked another number to an account.
        enum LinkStep: Int, CaseIterable {
            case noted, claimed, taken
        }

        /// Runs ``OperationContext/link(_:to:)`` up to and including a step.
        private func beginLink(_ number: String, to uid: String, upTo step: LinkStep) throws {
            let account = AccountIdentity(project: project.id, uid: uid, among: authenticator.store.shards)
            let phone = authenticator.in(project).identity(of: number)
            let e164 = try authenticator.phoneNumbers.parse(number)
            let claim = authenticator.in(project).newClaim(uid: uid)
            let sealedNumber = try authenticator.in(project).seal(.phone, e164.text, for: account)
            #expect(try authenticator.store.proposeIdentifier(.phone, sealedNumber, claim, to: account) == .proposed)
            if step == .noted { return }
            #expect(try authenticator.store.claimIdentifier(phone, claim, replacing: nil) == claim)
            if step == .claimed { return }
            let token = RefreshToken.make(for: account, in: authenticator.in(project))
            var request = TokenRequest(account: account, provider: .phone, signedInAt: deployment.clock.now)
            request.identifier = NamedIdentifier(phone, claim: claim, isFresh: true, sealed: sealedNumber)
            let record = authenticator.in(project).signInRecord(request, token)
            let outcome = try authenticator.store.recordSignIn(record)
            guard case .signedIn(_, _, let former) = outcome, former.count == 1 else {
                Issue.record("\(outcome)")
                return
            }
        }

        private func number(of uid: String) throws -> String? {
            try authenticator.in(project).accounts()[uid]?.phoneNumber
        }

        @Test("after each step, both numbers sign in to one account each", arguments: LinkStep.allCases)
        func bothNumbers(step: LinkStep) throws {
            let uid = try authenticator.in(project).signIn(first).uid
            try beginLink(second, to: uid, upTo: step)
            try authenticator.in(project).expectSoundAccounts()
            let bySecond = try authenticator.in(project).signIn(second)
            // Once the number is claimed for the account, a sign-in with it finishes the link.
            #expect((bySecond.uid == uid) == (step != .noted))
            try authenticator.in(project).expectSoundAccounts()
            let byFirst = try authenticator.in(project).signIn(first)
            #expect((byFirst.uid == uid) == (step == .noted))
            #expect(byFirst.uid != bySecond.uid)
            try authenticator.in(project).expectSoundAccounts()
            #expect(try authenticator.in(project).accounts().count == 2)
        }

        @Test("after each step, the former number can sign in first", arguments: LinkStep.allCases)
        func formerNumber(step: LinkStep) throws {
            let uid = try authenticator.in(project).signIn(first).uid
            try beginLink(second, to: uid, upTo: step)
            #expect((try authenticator.in(project).signIn(first).uid == uid) == (step != .taken))
            try authenticator.in(project).expectSoundAccounts()
            _ = try authenticator.in(project).signIn(second)
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("after each step, the link can be retried and undone", arguments: LinkStep.allCases)
        func tryAgain(step: LinkStep) throws {
            let user = try authenticator.in(project).signIn(first)
            try beginLink(second, to: user.uid, upTo: step)
            for number in [second, first, second] {
                #expect(try authenticator.in(project).link(number, to: user.idToken).uid == user.uid)
                #expect(try self.number(of: user.uid) == number)
                try authenticator.in(project).expectSoundAccounts()
            }
            #expect(try authenticator.in(project).accounts().count == 1)
        }

        @Test(
            "after each step, another account can take the number once the interrupted link has expired",
            arguments: LinkStep.allCases
        )
        func otherAccount(step: LinkStep) throws {
            let user = try authenticator.in(project).signIn(first)
            let other = try authenticator.in(deployment.projectWithEverything).signUpAnonymously()
            try beginLink(second, to: user.uid, upTo: step)
            let outcome = try authenticator.in(project).link(second, to: other.idToken)
            #expect((outcome.temporaryProof != nil) == (step != .noted))
            try authenticator.in(project).expectSoundAccounts()
            // A note alone reserves nothing, so the other account already has the number.
            guard step != .noted else { return }
            deployment.clock.advance(by: .seconds(1801))
            // After half an hour no request can still be running, so a claim without an account is free.
            let later = try authenticator.in(project).link(second, to: other.idToken)
            #expect((later.uid == other.account.uid) == (step != .taken))
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("a link claimed long ago is not completed by the number's next holder")
        func staleClaim() throws {
            let uid = try authenticator.in(project).signIn(first).uid
            try beginLink(second, to: uid, upTo: .claimed)
            deployment.clock.advance(by: .seconds(1801))
            let stranger = try authenticator.in(project).signIn(second)
            #expect(stranger.isNewUser)
            #expect(try number(of: uid) == first)
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test(
            "after each step, the account can be deleted, and neither number restores it",
            arguments: LinkStep.allCases
        )
        func deletion(step: LinkStep) throws {
            let user = try authenticator.in(project).signIn(first)
            try beginLink(second, to: user.uid, upTo: step)
            try authenticator.in(project, request: "d").deleteAccount(idToken: user.idToken)
            for number in [first, second] {
                let signedIn = try authenticator.in(project).signIn(number)
                #expect(signedIn.isNewUser && signedIn.uid != user.uid)
            }
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test(
            "a number whose account was never created goes to the next account, even by a link"
        )
        func neverCreated() throws {
            let phone = authenticator.in(project).identity(of: second)
            let orphan = authenticator.in(project).newClaim(uid: "never-made")
            #expect(try authenticator.store.claimIdentifier(phone, orphan, replacing: nil) == orphan)
            let user = try authenticator.in(project).signIn(first)
            #expect(try authenticator.in(project).link(second, to: user.idToken).uid == user.uid)
            // As if the worker that was to create the account continued late.
            #expect(try authenticator.in(project).signIn(second).uid == user.uid)
            #expect(try authenticator.in(project).accounts().keys.sorted() == [user.uid])
            try authenticator.in(project).expectSoundAccounts()
        }
    }
}
