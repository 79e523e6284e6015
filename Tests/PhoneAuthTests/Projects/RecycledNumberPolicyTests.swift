import Encodings
import RedisScripts
import Testing
import TestServers

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Numbers that may have been recycled.
    @Suite struct RecycledNumberPolicyTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let number = "+16505550173"
        let email = "ada@example.com"
        /// The project without a policy for recycled numbers.
        let open: Project
        /// The uid of an account with a number and a password, whose number was last proven 31 days ago.
        let uid: String

        init() throws {
            (deployment, _) = try Deployment.ofManyMessages()
            authenticator = deployment.authenticator(passwordHashing: try TestPasswordHashing.make())
            open = deployment.projectWithEverything
            let user = try authenticator.in(open).signIn(number)
            try authenticator.in(open).change(user.idToken, email: email, password: "correct horse")
            uid = user.uid
            deployment.clock.advance(by: .seconds(31 * 86_400))
        }

        private func project(_ answer: RecycledNumberRule.Answer, days: Int = 30, passwords: Bool = true) -> Project {
            Project(
                id: open.id,
                authorizedDomains: [],
                isAnonymousSignInEnabled: true,
                isPasswordSignInEnabled: passwords,
                recycledNumbers: RecycledNumberPolicy(provenFor: .seconds(days * 86_400), answer: answer)
            )
        }

        private func signIn(in project: Project, client: Int = 1) throws -> SignInOutcome {
            authenticator.in(project).answer(try authenticator.in(project).answered(number, client: client))
        }

        private func passwordIDToken(in project: Project) throws -> String {
            let signIn = try authenticator.in(project).signInWithPassword(
                SignInWithPasswordRequest(
                    email: email,
                    password: "correct horse",
                    client: ClientDescription(networkAddress: "192.0.2.1")
                )
            )
            return try #require(signIn.tokens).idToken
        }

        private func answers() throws -> [String] {
            var filter = AuditFilter()
            (filter.project, filter.uid, filter.kinds) = (open, uid, [.recycledNumber])
            filter.phoneNumber = number
            var events = try authenticator.auditEvents(filter, among: [open])
            var answers: [String] = []
            while let event = try events.next() { answers.append("\(event.detail ?? "") by \(event.actor)") }
            return answers
        }

        @Test("the policy is off by default, and zero days turn it off")
        func off() throws {
            #expect(RecycledNumberPolicy(provenFor: .zero, answer: .ask) == nil)
            #expect(try authenticator.configured(project(.fresh)).recycledNumbers?.answer == .fresh)
            #expect(try signIn(in: open) == .signedIn(uid: uid, isNew: false))
            #expect(try answers() == [])
        }

        @Test("within the policy's time the number alone signs in, and each sign-in restarts the time")
        func inTime() throws {
            for _ in 0..<3 {
                #expect(try signIn(in: project(.ask, days: 32)) == .signedIn(uid: uid, isNew: false))
                deployment.clock.advance(by: .seconds(31 * 86_400))
            }
        }

        @Test("after that time the password is required, and updating the number then proves it again")
        func ask() throws {
            let project = project(.ask)
            for client in 1...2 { #expect(try signIn(in: project, client: client) == .recycled) }
            #expect(try answers() == ["ask by server", "ask by server"])
            let idToken = try passwordIDToken(in: project)
            #expect(try authenticator.in(project).link(number, to: idToken) == .signedIn(uid: uid, isNew: false))
            #expect(try signIn(in: project) == .signedIn(uid: uid, isNew: false))
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("reauthentication with an ID token requires the password, unless the sign-in is recent")
        func oldIDToken() throws {
            let project = project(.ask)
            func again(_ idToken: String) throws -> SignInOutcome {
                let request = try authenticator.in(project).answered(
                    number,
                    idToken: idToken,
                    operation: .reauthenticate
                )
                return authenticator.in(project).answer(request)
            }
            let former = try passwordIDToken(in: project)
            deployment.clock.advance(by: .seconds(301))
            #expect(try again(former) == .recycled)
            #expect(try signIn(in: project) == .recycled)
            #expect(try again(try passwordIDToken(in: project)) == .signedIn(uid: uid, isNew: false))
        }

        @Test(
            "a repeated request gets the same response",
            arguments: [RecycledNumberRule.Answer.ask, .fresh]
        )
        func repeated(answer: RecycledNumberRule.Answer) throws {
            let project = project(answer)
            let request = try authenticator.in(project).answered(number)
            let first = authenticator.in(project).answer(request)
            #expect(authenticator.in(project).answer(request) == first)
            #expect(try authenticator.in(project).accounts().count == (answer == .ask ? 1 : 2))
        }

        @Test("under the policy fresh, the number gets a new account, and the former account keeps its other factors")
        func fresh() throws {
            let project = project(.fresh)
            let signedIn = try authenticator.in(project).signIn(number)
            #expect(signedIn.isNewUser && signedIn.uid != uid)
            #expect(try answers() == ["fresh by server"])
            let former = try #require(try authenticator.in(project).accounts()[uid])
            #expect(former.phoneNumber == nil && former.signsInByEmail)
            #expect(
                authenticator.in(project).signIn(email, password: "correct horse", request: "r") == .signedIn(uid: uid)
            )
            #expect(try signIn(in: project) == .signedIn(uid: signedIn.uid, isNew: false))
            // The new account has no other factor that could be requested.
            deployment.clock.advance(by: .seconds(100 * 86_400))
            #expect(try signIn(in: project) == .signedIn(uid: signedIn.uid, isNew: false))
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test(
            "a number of another account can be linked under the policy fresh, but not otherwise"
        )
        func link() throws {
            let user = try authenticator.in(open).signUpAnonymously()
            let asked = try authenticator.in(project(.ask)).link(number, to: user.idToken)
            let proof = try #require(asked.temporaryProof)
            #expect(authenticator.in(project(.ask)).answer(proof: proof, number) == .recycled)
            let fresh = project(.fresh)
            #expect(
                try authenticator.in(fresh).link(number, to: user.idToken)
                    == .signedIn(uid: user.account.uid, isNew: false)
            )
            #expect(try answers() == ["ask by server", "fresh by server"])
            #expect(try authenticator.in(fresh).accounts()[uid]?.phoneNumber == nil)
            try authenticator.in(fresh).expectSoundAccounts()
        }

        @Test("a proof rejected without verification never takes the number from its account")
        func notVerified() throws {
            let fresh = project(.fresh)
            let user = try authenticator.in(fresh).signUpAnonymously()
            let asked = try authenticator.in(open).link(number, to: user.idToken)
            let proof = try #require(asked.temporaryProof)
            #expect(authenticator.in(fresh).answer(proof: proof, number, idToken: user.idToken) == .numberExists)
            #expect(try authenticator.in(fresh).accounts()[uid]?.phoneNumber == number)
        }

        @Test("a reauthentication requires the password and never takes the number from its account")
        func reauthentication() throws {
            for answer in [RecycledNumberRule.Answer.ask, .fresh] {
                let project = project(answer)
                let request = try authenticator.in(project).answered(number, operation: .reauthenticate)
                #expect(authenticator.in(project).answer(request) == .recycled)
            }
            let project = project(.fresh)
            let idToken = try passwordIDToken(in: project)
            let request = try authenticator.in(project).answered(number, idToken: idToken, operation: .reauthenticate)
            #expect(authenticator.in(project).answer(request) == .signedIn(uid: uid, isNew: false))
        }

        @Test("no password is requested for an account without another way to sign in")
        func noOtherFactor() throws {
            #expect(try signIn(in: project(.ask, passwords: false)) == .signedIn(uid: uid, isNew: false))
            let other = "+16505550174"
            let phoneOnly = try authenticator.in(open).signIn(other).uid
            deployment.clock.advance(by: .seconds(31 * 86_400))
            #expect(try authenticator.in(project(.fresh)).signIn(other).uid == phoneOnly)
        }

        @Test("a number set by an operator counts as proven when it is set")
        func vouchedFor() throws {
            let project = project(.ask)
            #expect(try signIn(in: project) == .recycled)
            var change = AccountChange()
            change.phoneNumber = .set(number)
            _ = try authenticator.in(project).changeAccount(uid: uid, change)
            #expect(try signIn(in: project) == .signedIn(uid: uid, isNew: false))
        }

        @Test("racing sign-ins all get the same new account", arguments: [2, 8])
        func racing(racers: Int) throws {
            let project = project(.fresh)
            let requests = try (0..<racers).map { try authenticator.in(project).answered(number, client: $0) }
            let outcomes = try inParallel(racers) { [deployment] racer in
                deployment.authenticator().in(project).answer(requests[racer])
            }
            let uids = Set(outcomes.compactMap(\.uid))
            #expect(uids.count == 1 && !uids.contains(uid))
            #expect(outcomes.filter { $0.uid != nil }.count == racers)
            #expect(try answers() == ["fresh by server"])
            #expect(try authenticator.in(project).accounts().count == 2)
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("when a sign-in races with the former holder's update, neither account is lost and one has the number")
        func racingHolder() throws {
            let project = project(.fresh)
            let idToken = try passwordIDToken(in: project)
            let requests = [
                try authenticator.in(project).answered(number, client: 1),
                try authenticator.in(project).answered(number, client: 2, idToken: idToken),
            ]
            _ = try inParallel(2) { [deployment] racer in
                deployment.authenticator().in(project).answer(requests[racer])
            }
            try authenticator.in(project).expectSoundAccounts()
            let accounts = try authenticator.in(project).accounts()
            #expect(accounts[uid]?.signsInByEmail == true)
            #expect(accounts.values.filter { $0.phoneNumber == number }.count == 1)
        }

        /// The step after which a worker died while it created a new account for the number's holder.
        enum Step: CaseIterable {
            case taken, claimed, made
        }

        @Test(
            "after each step, the number's next sign-in finds or creates its one new account",
            arguments: Step.allCases
        )
        func interrupted(step: Step) throws {
            let project = project(.fresh)
            let phone = authenticator.in(project).identity(of: number)
            let now = deployment.clock.now
            let former = try #require(try authenticator.store.claim(of: phone))
            let isHeld = try authenticator.store.holdsClaim(
                former,
                of: .phone,
                isFresh: false,
                in: project.id,
                markMilliseconds: 3_600_000,
                losingNumberProvenBefore: now.milliseconds,
                audit: nil
            )
            #expect(!isHeld)
            let claim = authenticator.in(project).newClaim(uid: "fresh")
            if step != .taken {
                #expect(try authenticator.store.claimIdentifier(phone, claim, replacing: former) == claim)
            }
            if step == .made { #expect(try authenticator.in(project).signIn(number, client: 9).uid == "fresh") }
            try authenticator.in(project).expectSoundAccounts()
            let next = try authenticator.in(project).signIn(number)
            #expect(next.uid != uid && (next.uid == "fresh") == (step != .taken))
            #expect(try authenticator.in(project).signIn(number, client: 2).uid == next.uid)
            #expect(
                authenticator.in(project).signIn(email, password: "correct horse", request: "r") == .signedIn(uid: uid)
            )
            #expect(try authenticator.in(project).accounts().count == 2)
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("if a worker died after taking the number, the former account can take it back")
        func takenBack() throws {
            let project = project(.fresh)
            let account = AccountIdentity(project: project.id, uid: uid, among: authenticator.store.shards)
            _ = try authenticator.store.updateAccount(account, AccountUpdate(removesNumber: true), audit: nil)
            let idToken = try passwordIDToken(in: project)
            #expect(try authenticator.in(project).link(number, to: idToken).uid == uid)
            try authenticator.in(project).expectSoundAccounts()
        }
    }
}
