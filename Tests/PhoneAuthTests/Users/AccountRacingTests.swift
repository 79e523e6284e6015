import PhoneAuth
import TestServers
import Testing

extension PhoneAuthTests {
    /// Races of real threads that change the same accounts and numbers.
    @Suite struct AccountRacingTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project

        init() throws {
            (deployment, authenticator) = try Deployment.ofManyMessages()
            project = deployment.project
        }

        @Test("refreshes racing with the disabling of their account succeed before it and never after it")
        func disabling() throws {
            let user = try authenticator.in(project).signIn("+16505550165")
            let laterSuccesses = try inParallel(6) { [deployment, project] racer in
                let authenticator = deployment.authenticator()
                func isRefreshed() -> Bool {
                    (try? authenticator.in(project).exchangeRefreshToken(user.refreshToken)) != nil
                }
                if racer == 0 {
                    var change = AccountChange()
                    change.isDisabled = true
                    _ = try authenticator.in(project).changeAccount(uid: user.uid, change)
                } else {
                    // Ends once the first racer has disabled the account.
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
                    let request = try authenticator.in(project).answered(number, client: client)
                    guard let user = try? authenticator.in(project).signInWithPhoneNumber(request) else {
                        interrupted += 1
                        continue
                    }
                    switch Int.random(in: 0..<4, using: &generator) {
                    case 0:
                        try? authenticator.in(project, request: "\(client)").deleteAccount(idToken: user.idToken)
                    case 1:
                        var request = UpdateAccountRequest(idToken: user.idToken)
                        request.removesPhoneNumber = true
                        _ = try? authenticator.in(project).updateAccount(request)
                    default:
                        let link = try authenticator.in(project).link(other, to: user.idToken, client: client)
                        if case .failed = link { interrupted += 1 }
                    }
                }
                return interrupted
            }
            // A request that repeatedly loses the race fails, and its client is asked to retry later.
            #expect(outcomes.reduce(0, +) < 10)
            try authenticator.in(project).expectSoundAccounts()
            for number in numbers { _ = try authenticator.in(project).signIn(number, client: 1000) }
            try authenticator.in(project).expectSoundAccounts()
        }
    }
}
