import RedisStore
import TestServers
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Numbers that may have another holder by now.
    @Suite struct RecycledNumberTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let number = "+16505550173"
        let email = "ada@example.com"
        /// Where nothing is asked.
        let open: Project
        /// An account with number and password, whose number was last proven 31 days ago.
        let uid: String

        init() throws {
            (deployment, _) = try Deployment.ofManyMessages()
            authenticator = deployment.authenticator(passwordHashing: try TestPasswordHashing.make())
            open = deployment.projectWithEverything
            let user = try authenticator.signIn(number, in: open)
            try authenticator.change(user.idToken, email: email, password: "correct horse", in: open)
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
            authenticator.answer(try authenticator.answered(number, client: client, in: project), in: project)
        }

        private func passwordIDToken(in project: Project) throws -> String {
            let signIn = try authenticator.signInWithPassword(
                SignInWithPasswordRequest(
                    email: email,
                    password: "correct horse",
                    client: ClientDescription(networkAddress: "192.0.2.1"),
                    requestID: "p"
                ),
                in: project
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

        @Test("by default nothing is asked, and a policy of no days is none")
        func off() throws {
            #expect(RecycledNumberPolicy(provenFor: .zero, answer: .ask) == nil)
            #expect(try authenticator.configured(project(.fresh)).recycledNumbers?.answer == .fresh)
            #expect(try signIn(in: open) == .signedIn(uid: uid, isNew: false))
            #expect(try answers() == [])
        }

        @Test("within the time the number alone signs in, and each time begins anew")
        func inTime() throws {
            for _ in 0..<3 {
                #expect(try signIn(in: project(.ask, days: 32)) == .signedIn(uid: uid, isNew: false))
                deployment.clock.advance(by: .seconds(31 * 86_400))
            }
        }

        @Test("the account is asked for the password; updating the number then proves it anew")
        func ask() throws {
            let project = project(.ask)
            for client in 1...2 { #expect(try signIn(in: project, client: client) == .recycled) }
            #expect(try answers() == ["ask by server", "ask by server"])
            let idToken = try passwordIDToken(in: project)
            #expect(try authenticator.link(number, to: idToken, in: project) == .signedIn(uid: uid, isNew: false))
            #expect(try signIn(in: project) == .signedIn(uid: uid, isNew: false))
            try authenticator.expectSoundAccounts(of: project)
        }

        @Test("reauthentication with an ID token asks for the password, unless the sign-in is recent")
        func oldIDToken() throws {
            let project = project(.ask)
            func again(_ idToken: String) throws -> SignInOutcome {
                let request = try authenticator.answered(
                    number,
                    idToken: idToken,
                    operation: .reauthenticate,
                    in: project
                )
                return authenticator.answer(request, in: project)
            }
            let former = try passwordIDToken(in: project)
            deployment.clock.advance(by: .seconds(301))
            #expect(try again(former) == .recycled)
            #expect(try signIn(in: project) == .recycled)
            #expect(try again(try passwordIDToken(in: project)) == .signedIn(uid: uid, isNew: false))
        }

        @Test(
            "the answer to a request that is repeated stays the same",
            arguments: [RecycledNumberRule.Answer.ask, .fresh]
        )
        func repeated(answer: RecycledNumberRule.Answer) throws {
            let project = project(answer)
            let request = try authenticator.answered(number, in: project)
            let first = authenticator.answer(request, in: project)
            #expect(authenticator.answer(request, in: project) == first)
            #expect(try authenticator.accounts(of: project).count == (answer == .ask ? 1 : 2))
        }

        @Test("or whoever has the number gets a fresh account, and the former one keeps its other factors")
        func fresh() throws {
            let project = project(.fresh)
            let signedIn = try authenticator.signIn(number, in: project)
            #expect(signedIn.isNewUser && signedIn.uid != uid)
            #expect(try answers() == ["fresh by server"])
            let former = try #require(try authenticator.accounts(of: project)[uid])
            #expect(former.phoneNumber == nil && former.signsInWithPassword)
            #expect(
                authenticator.signIn(email, password: "correct horse", request: "r", in: project) == .signedIn(uid: uid)
            )
            #expect(try signIn(in: project) == .signedIn(uid: signedIn.uid, isNew: false))
            // The fresh account has no other factor to ask for.
            deployment.clock.advance(by: .seconds(100 * 86_400))
            #expect(try signIn(in: project) == .signedIn(uid: signedIn.uid, isNew: false))
            try authenticator.expectSoundAccounts(of: project)
        }

        @Test(
            "a number that is linked to another account is taken along, where accounts are made fresh, and else is not"
        )
        func link() throws {
            let user = try authenticator.signUpAnonymously(in: open)
            let asked = try authenticator.link(number, to: user.idToken, in: project(.ask))
            let proof = try #require(asked.temporaryProof)
            #expect(authenticator.answer(proof: proof, number, in: project(.ask)) == .recycled)
            let fresh = project(.fresh)
            #expect(
                try authenticator.link(number, to: user.idToken, in: fresh)
                    == .signedIn(uid: user.account.uid, isNew: false)
            )
            #expect(try answers() == ["ask by server", "fresh by server"])
            #expect(try authenticator.accounts(of: fresh)[uid]?.phoneNumber == nil)
            try authenticator.expectSoundAccounts(of: fresh)
        }

        @Test("a proof that was not judged takes no number away")
        func unjudged() throws {
            let fresh = project(.fresh)
            let user = try authenticator.signUpAnonymously(in: fresh)
            let asked = try authenticator.link(number, to: user.idToken, in: open)
            let proof = try #require(asked.temporaryProof)
            #expect(authenticator.answer(proof: proof, number, idToken: user.idToken, in: fresh) == .numberExists)
            #expect(try authenticator.accounts(of: fresh)[uid]?.phoneNumber == number)
        }

        @Test("a repeated proof of who has an account asks, and never takes a number away")
        func reauthentication() throws {
            for answer in [RecycledNumberRule.Answer.ask, .fresh] {
                let project = project(answer)
                let request = try authenticator.answered(number, operation: .reauthenticate, in: project)
                #expect(authenticator.answer(request, in: project) == .recycled)
            }
            let project = project(.fresh)
            let idToken = try passwordIDToken(in: project)
            let request = try authenticator.answered(
                number,
                idToken: idToken,
                operation: .reauthenticate,
                in: project
            )
            #expect(authenticator.answer(request, in: project) == .signedIn(uid: uid, isNew: false))
        }

        @Test("without another way to sign in nothing is asked")
        func noOtherFactor() throws {
            #expect(try signIn(in: project(.ask, passwords: false)) == .signedIn(uid: uid, isNew: false))
            let other = "+16505550174"
            let phoneOnly = try authenticator.signIn(other, in: open).uid
            deployment.clock.advance(by: .seconds(31 * 86_400))
            #expect(try authenticator.signIn(other, in: project(.fresh)).uid == phoneOnly)
        }

        @Test("a number that an operator gives to an account counts as proven then")
        func vouchedFor() throws {
            let project = project(.ask)
            #expect(try signIn(in: project) == .recycled)
            var change = AccountChange()
            change.phoneNumber = .set(number)
            _ = try authenticator.changeAccount(uid: uid, change, in: project)
            #expect(try signIn(in: project) == .signedIn(uid: uid, isNew: false))
        }

        @Test("of racing sign-ins all get one fresh account", arguments: [2, 8])
        func racing(racers: Int) throws {
            let project = project(.fresh)
            let requests = try (0..<racers).map { try authenticator.answered(number, client: $0, in: project) }
            let outcomes = try inParallel(racers) { [deployment] racer in
                deployment.authenticator().answer(requests[racer], in: project)
            }
            let uids = Set(outcomes.compactMap(\.uid))
            #expect(uids.count == 1 && !uids.contains(uid))
            #expect(outcomes.filter { $0.uid != nil }.count == racers)
            #expect(try answers() == ["fresh by server"])
            #expect(try authenticator.accounts(of: project).count == 2)
            try authenticator.expectSoundAccounts(of: project)
        }

        @Test("a sign-in and the former holder's update race: the number has one account, and none is lost")
        func racingHolder() throws {
            let project = project(.fresh)
            let idToken = try passwordIDToken(in: project)
            let requests = [
                try authenticator.answered(number, client: 1, in: project),
                try authenticator.answered(number, client: 2, idToken: idToken, in: project),
            ]
            _ = try inParallel(2) { [deployment] racer in
                deployment.authenticator().answer(requests[racer], in: project)
            }
            try authenticator.expectSoundAccounts(of: project)
            let accounts = try authenticator.accounts(of: project)
            #expect(accounts[uid]?.signsInWithPassword == true)
            #expect(accounts.values.filter { $0.phoneNumber == number }.count == 1)
        }

        /// How far a worker got that was to give whoever has the number a fresh account.
        enum Step: CaseIterable {
            case taken, claimed, made
        }

        @Test(
            "after each step the number's next sign-in finds or makes the one fresh account",
            arguments: Step.allCases
        )
        func interrupted(step: Step) throws {
            let project = project(.fresh)
            let phone = authenticator.identity(of: number, in: project)
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
            let claim = authenticator.newClaim(uid: "fresh", at: now)
            if step != .taken {
                #expect(try authenticator.store.claimIdentifier(phone, claim, replacing: former) == claim)
            }
            if step == .made { #expect(try authenticator.signIn(number, client: 9, in: project).uid == "fresh") }
            try authenticator.expectSoundAccounts(of: project)
            let next = try authenticator.signIn(number, in: project)
            #expect(next.uid != uid && (next.uid == "fresh") == (step != .taken))
            #expect(try authenticator.signIn(number, client: 2, in: project).uid == next.uid)
            #expect(
                authenticator.signIn(email, password: "correct horse", request: "r", in: project) == .signedIn(uid: uid)
            )
            #expect(try authenticator.accounts(of: project).count == 2)
            try authenticator.expectSoundAccounts(of: project)
        }

        @Test("a worker that stopped after the number was taken leaves it free for the former account, too")
        func takenBack() throws {
            let project = project(.fresh)
            let account = AccountIdentity(project: project.id, uid: uid, among: authenticator.store.shards)
            _ = try authenticator.store.updateAccount(account, AccountUpdate(removesNumber: true), audit: nil)
            let idToken = try passwordIDToken(in: project)
            #expect(try authenticator.link(number, to: idToken, in: project).uid == uid)
            try authenticator.expectSoundAccounts(of: project)
        }
    }
}
