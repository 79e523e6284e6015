import PhoneAuth
import TestServers
import Testing

extension PhoneAuthTests {
    /// Real threads that change the same accounts and numbers.
    @Suite struct AccountRacingTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project

        init() throws {
            (deployment, authenticator) = try Deployment.ofManyMessages()
            project = deployment.project
        }

        @Test("of racing links of one number to many accounts one wins, and the others are told so")
        func links() throws {
            let users = try (0..<8).map { _ in
                try authenticator.signUpAnonymously(in: deployment.projectWithEverything)
            }
            let requests = try users.enumerated().map { index, user in
                try authenticator.answered("+16505550164", client: index, idToken: user.idToken, in: project)
            }
            let outcomes = try inParallel(users.count) { [deployment, project] racer in
                deployment.authenticator().answer(requests[racer], in: project)
            }
            #expect(outcomes.filter { $0.uid != nil }.count == 1)
            #expect(outcomes.filter { $0.temporaryProof != nil }.count == 7)
            let owner = try #require(outcomes.compactMap(\.uid).first)
            #expect(try authenticator.signIn("+16505550164", in: project).uid == owner)
            try authenticator.expectSoundAccounts(of: project)
        }

        @Test("racing links of many numbers to one account leave it with one of them")
        func numbers() throws {
            let user = try authenticator.signUpAnonymously(in: deployment.projectWithEverything)
            let numbers = (0..<8).map { fictionalNumber($0) }
            let requests = try numbers.map {
                try authenticator.answered($0, idToken: user.idToken, in: project)
            }
            let outcomes = try inParallel(numbers.count) { [deployment, project] racer in
                deployment.authenticator().answer(requests[racer], in: project)
            }
            // All of them are done, one after the other, unless one is overtaken again and again.
            let contended = SignInOutcome.failed("failed(PhoneAuth.OperationFailure.contended)")
            #expect(outcomes.contains { $0.uid == user.account.uid })
            #expect(outcomes.allSatisfy { $0.uid == user.account.uid || $0 == contended }, "\(outcomes)")
            try authenticator.expectSoundAccounts(of: project)
            let number = try #require(try authenticator.accounts(of: project)[user.account.uid]?.phoneNumber)
            for other in numbers {
                let uid = try authenticator.signIn(other, in: project).uid
                #expect((uid == user.account.uid) == (other == number))
            }
        }

        @Test("refreshes that race a disabling are good before it, and none is after it")
        func disabling() throws {
            let user = try authenticator.signIn("+16505550165", in: project)
            let laterSuccesses = try inParallel(6) { [deployment, project] racer in
                let authenticator = deployment.authenticator()
                func isRefreshed() -> Bool {
                    (try? authenticator.exchangeRefreshToken(user.refreshToken, in: project)) != nil
                }
                if racer == 0 {
                    var change = AccountChange()
                    change.isDisabled = true
                    _ = try authenticator.changeAccount(uid: user.uid, change, in: project)
                } else {
                    // Sooner or later the first racer gets its turn.
                    while isRefreshed() {}
                }
                return (0..<5).count { _ in isRefreshed() }
            }
            #expect(laterSuccesses == Array(repeating: 0, count: 6))
        }

        @Test(
            "sign-ins, links, unlinks and deletions in any order leave each number with one account",
            arguments: 1...3
        )
        func everything(seed: UInt64) throws {
            let numbers = (0..<3).map { fictionalNumber(Int(seed) * 10 + $0) }
            let outcomes = try inParallel(6) { [deployment, project] racer in
                let authenticator = deployment.authenticator()
                var generator = SplitMix(seed: seed * 100 + UInt64(racer))
                var interrupted = 0
                for step in 0..<12 {
                    let client = racer * 100 + step
                    let number = numbers[Int.random(in: 0..<numbers.count, using: &generator)]
                    let other = numbers[Int.random(in: 0..<numbers.count, using: &generator)]
                    let request = try authenticator.answered(number, client: client, in: project)
                    guard let user = try? authenticator.signInWithPhoneNumber(request, in: project) else {
                        interrupted += 1
                        continue
                    }
                    switch Int.random(in: 0..<4, using: &generator) {
                    case 0:
                        try? authenticator.deleteAccount(idToken: user.idToken, requestID: "\(client)", in: project)
                    case 1:
                        var request = UpdateAccountRequest(idToken: user.idToken)
                        request.removesPhoneNumber = true
                        _ = try? authenticator.updateAccount(request, in: project)
                    default:
                        let link = try authenticator.link(other, to: user.idToken, client: client, in: project)
                        if case .failed = link { interrupted += 1 }
                    }
                }
                return interrupted
            }
            // Who loses against others again and again is told to come later.
            #expect(outcomes.reduce(0, +) < 10)
            try authenticator.expectSoundAccounts(of: project)
            for number in numbers { _ = try authenticator.signIn(number, client: 1000, in: project) }
            try authenticator.expectSoundAccounts(of: project)
        }
    }
}
