import PhoneAuth
import TestServers
import Testing

extension PhoneAuthTests {
    /// Races of real threads, each with its own connection.
    @Suite struct LinkPhoneNumberRaceTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project

        init() throws {
            (deployment, authenticator) = try Deployment.ofManyMessages()
            project = deployment.project
        }

        @Test("of racing links of one number to many accounts, exactly one succeeds")
        func links() throws {
            let users = try (0..<8).map { _ in
                try authenticator.in(deployment.projectWithEverything).signUpAnonymously()
            }
            let requests = try users.enumerated().map { index, user in
                try authenticator.in(project).answered("+16505550164", client: index, idToken: user.idToken)
            }
            let outcomes = try inParallel(users.count) { [deployment, project] racer in
                deployment.authenticator().in(project).answer(requests[racer])
            }
            #expect(outcomes.filter { $0.uid != nil }.count == 1)
            #expect(outcomes.filter { $0.temporaryProof != nil }.count == 7)
            let owner = try #require(outcomes.compactMap(\.uid).first)
            #expect(try authenticator.in(project).signIn("+16505550164").uid == owner)
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("racing links of many numbers to one account leave it with one number")
        func numbers() throws {
            let user = try authenticator.in(deployment.projectWithEverything).signUpAnonymously()
            let numbers = (0..<8).map { fictionalNumber($0) }
            let requests = try numbers.map {
                try authenticator.in(project).answered($0, idToken: user.idToken)
            }
            let outcomes = try inParallel(numbers.count) { [deployment, project] racer in
                deployment.authenticator().in(project).answer(requests[racer])
            }
            // Each request either links its number or gives up after losing the race repeatedly.
            let contended = SignInOutcome.failed("failed(PhoneAuth.OperationFailure.contended)")
            #expect(outcomes.contains { $0.uid == user.account.uid })
            #expect(outcomes.allSatisfy { $0.uid == user.account.uid || $0 == contended }, "\(outcomes)")
            try authenticator.in(project).expectSoundAccounts()
            let number = try #require(try authenticator.in(project).accounts()[user.account.uid]?.phoneNumber)
            for other in numbers {
                let uid = try authenticator.in(project).signIn(other).uid
                #expect((uid == user.account.uid) == (other == number))
            }
        }
    }
}
