import PhoneNumbers
import RedisStore
import TestServers
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Workers that die between two steps: each step is a call of the store's, and the rest of them is left out.
    @Suite struct InterruptedTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let first = "+16505550162"
        let second = "+16505550163"

        init() throws {
            (deployment, authenticator) = try Deployment.ofManyMessages()
            project = deployment.project
        }

        /// How far a worker got that was to give an account another number.
        enum LinkStep: Int, CaseIterable {
            case noted, claimed, taken
        }

        /// Does what ``Authenticator/link(_:to:)`` does, up to and including a step.
        private func beginLink(_ number: String, to uid: String, upTo step: LinkStep) throws {
            let account = AccountIdentity(project: project.id, uid: uid, among: authenticator.store.shards)
            let phone = authenticator.identity(of: number, in: project)
            let e164 = try authenticator.phoneNumbers.parse(number)
            let claim = authenticator.newClaim(uid: uid, at: deployment.clock.now)
            let sealedNumber = try authenticator.seal(.phone, e164.text, for: account)
            #expect(try authenticator.store.proposeIdentifier(.phone, sealedNumber, claim, to: account) == .proposed)
            if step == .noted { return }
            #expect(try authenticator.store.claimIdentifier(phone, claim, replacing: nil) == claim)
            if step == .claimed { return }
            let outcome = try authenticator.store.recordSignIn(
                SignInRecord(
                    account: account,
                    provider: "phone",
                    session: RefreshToken.make(for: account, deployment.clock.environment).identity(in: project),
                    firstRevocation: 1 << 48,
                    now: deployment.clock.now.milliseconds,
                    signedInAt: deployment.clock.now.milliseconds,
                    sessionIdleMilliseconds: 86_400_000,
                    maker: "",
                    maximumSessions: 10,
                    markMilliseconds: 3_600_000,
                    identifier: SignInRecord.Identifier(phone, claim: claim, isFresh: true, sealed: sealedNumber),
                    audit: nil
                )
            )
            guard case .signedIn(_, _, let former) = outcome, former.count == 1 else {
                Issue.record("\(outcome)")
                return
            }
        }

        private func number(of uid: String) throws -> String? {
            try authenticator.accounts(of: project)[uid]?.phoneNumber
        }

        @Test("after each step both numbers sign in, and each account has one", arguments: LinkStep.allCases)
        func bothNumbers(step: LinkStep) throws {
            let uid = try authenticator.signIn(first, in: project).uid
            try beginLink(second, to: uid, upTo: step)
            try authenticator.expectSoundAccounts(of: project)
            let bySecond = try authenticator.signIn(second, in: project)
            // Once the number was claimed for the account, a sign-in with it finishes the link.
            #expect((bySecond.uid == uid) == (step != .noted))
            try authenticator.expectSoundAccounts(of: project)
            let byFirst = try authenticator.signIn(first, in: project)
            #expect((byFirst.uid == uid) == (step == .noted))
            #expect(byFirst.uid != bySecond.uid)
            try authenticator.expectSoundAccounts(of: project)
            #expect(try authenticator.accounts(of: project).count == 2)
        }

        @Test("after each step the former number signs in first", arguments: LinkStep.allCases)
        func formerNumber(step: LinkStep) throws {
            let uid = try authenticator.signIn(first, in: project).uid
            try beginLink(second, to: uid, upTo: step)
            #expect((try authenticator.signIn(first, in: project).uid == uid) == (step != .taken))
            try authenticator.expectSoundAccounts(of: project)
            _ = try authenticator.signIn(second, in: project)
            try authenticator.expectSoundAccounts(of: project)
        }

        @Test("after each step the link can be tried again, and undone", arguments: LinkStep.allCases)
        func tryAgain(step: LinkStep) throws {
            let user = try authenticator.signIn(first, in: project)
            try beginLink(second, to: user.uid, upTo: step)
            for number in [second, first, second] {
                #expect(try authenticator.link(number, to: user.idToken, in: project).uid == user.uid)
                #expect(try self.number(of: user.uid) == number)
                try authenticator.expectSoundAccounts(of: project)
            }
            #expect(try authenticator.accounts(of: project).count == 1)
        }

        @Test(
            "after each step another account can have the number once its sign-in gave up",
            arguments: LinkStep.allCases
        )
        func otherAccount(step: LinkStep) throws {
            let user = try authenticator.signIn(first, in: project)
            let other = try authenticator.signUpAnonymously(in: deployment.projectWithEverything)
            try beginLink(second, to: user.uid, upTo: step)
            let outcome = try authenticator.link(second, to: other.idToken, in: project)
            #expect((outcome.temporaryProof != nil) == (step != .noted))
            try authenticator.expectSoundAccounts(of: project)
            // A note alone means nothing: the other account has the number already.
            guard step != .noted else { return }
            deployment.clock.advance(by: .seconds(1801))
            // Half an hour later nobody is on the way any more: what was only claimed is free.
            let later = try authenticator.link(second, to: other.idToken, in: project)
            #expect((later.uid == other.account.uid) == (step != .taken))
            try authenticator.expectSoundAccounts(of: project)
        }

        @Test("a link that was claimed long ago is not finished by whoever has the number by then")
        func staleClaim() throws {
            let uid = try authenticator.signIn(first, in: project).uid
            try beginLink(second, to: uid, upTo: .claimed)
            deployment.clock.advance(by: .seconds(1801))
            let stranger = try authenticator.signIn(second, in: project)
            #expect(stranger.isNewUser)
            #expect(try number(of: uid) == first)
            try authenticator.expectSoundAccounts(of: project)
        }

        @Test(
            "after each step the account can be deleted, and neither number brings it back",
            arguments: LinkStep.allCases
        )
        func deletion(step: LinkStep) throws {
            let user = try authenticator.signIn(first, in: project)
            try beginLink(second, to: user.uid, upTo: step)
            try authenticator.deleteAccount(idToken: user.idToken, requestID: "d", in: project)
            for number in [first, second] {
                let signedIn = try authenticator.signIn(number, in: project)
                #expect(signedIn.isNewUser && signedIn.uid != user.uid)
            }
            try authenticator.expectSoundAccounts(of: project)
        }

        @Test(
            "a deleted account whose number did not let go is not made again, at once or after any time",
            arguments: [0, 60, 1801, 3601, 86_400]
        )
        func halfDeleted(seconds: Int) throws {
            let user = try authenticator.signIn(first, in: project)
            let account = AccountIdentity(project: project.id, uid: user.uid, among: authenticator.store.shards)
            #expect(
                try authenticator.store.deleteAccount(
                    account,
                    requestID: "d",
                    markMilliseconds: 3_600_000,
                    audit: nil
                ).identifiers?.count == 1
            )
            deployment.clock.advance(by: .seconds(seconds))
            // Redis's own clock clears marks away.
            if seconds > 3600 { deployment.keyNames(matching: "*:deleted:*").forEach { deployment.cli("DEL", $0) } }
            let again = try authenticator.signIn(first, in: project)
            #expect(again.isNewUser && again.uid != user.uid)
            #expect(authenticator.look(up: user.idToken, in: project) != .found(uid: user.uid))
            try authenticator.expectSoundAccounts(of: project)
        }

        @Test(
            "a number whose account was never made is the next one's, by link too, and its first sign-in finds that one"
        )
        func neverMade() throws {
            let phone = authenticator.identity(of: second, in: project)
            let orphan = authenticator.newClaim(uid: "never-made", at: deployment.clock.now)
            #expect(try authenticator.store.claimIdentifier(phone, orphan, replacing: nil) == orphan)
            let user = try authenticator.signIn(first, in: project)
            #expect(try authenticator.link(second, to: user.idToken, in: project).uid == user.uid)
            // The worker that was on its way to make the account comes late.
            #expect(try authenticator.signIn(second, in: project).uid == user.uid)
            #expect(try authenticator.accounts(of: project).keys.sorted() == [user.uid])
            try authenticator.expectSoundAccounts(of: project)
        }

        @Test("a number that the account gave up but that did not let go is free")
        func halfUnlinked() throws {
            let user = try authenticator.signIn(first, in: project)
            let account = AccountIdentity(project: project.id, uid: user.uid, among: authenticator.store.shards)
            _ = try authenticator.store.updateAccount(account, AccountUpdate(removesNumber: true), audit: nil)
            #expect(try number(of: user.uid) == nil)
            let other = try authenticator.signIn(first, in: project)
            #expect(other.isNewUser && other.uid != user.uid)
            try authenticator.expectSoundAccounts(of: project)
        }
    }
}
