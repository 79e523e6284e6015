import Encodings
import RedisScripts
import Testing
import TestServers

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Whose accounts and second factors the fixed code of a test number proves: only those that it created or linked.
    @Suite struct TestNumberOwnerTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550140"
        let code = "012346"

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator(passwordHashing: try TestPasswordHashing.make())
            project = deployment.project(secondFactors: .optional)
        }

        private var operation: OperationContext { authenticator.in(project) }

        private func setTestNumber() throws {
            try operation.setTestNumber(number, code: try #require(VerificationCode(code)))
        }

        /// Signs in with the test code, and returns the account.
        private func signInByTestCode() throws -> SignedIn {
            let session = try operation.session(for: number)
            return try operation.signIn(session, code, request: "r-\(session)")
        }

        private func details(of uid: String) throws -> [String] {
            var filter = AuditFilter()
            (filter.project, filter.uid) = (project, uid)
            var events = try authenticator.auditEvents(filter, among: [project])
            var details: [String] = []
            while let event = try events.next() { details.append("\(event.kind) \(event.detail ?? "")") }
            return details
        }

        @Test("a user's number cannot become a test number")
        func numberOfUser() throws {
            let user = try operation.signIn(number)
            #expect(throws: TestNumberRefusal.numberOfUser) { try setTestNumber() }
            let config = #"{"signIn":{"phoneNumber":{"testPhoneNumbers":{"\#(number)":"\#(code)"}}}}"#
            guard case .object(let members) = try JSONValue.parse(Array(config.utf8)) else { return }
            #expect(throws: ChangeConfigurationRefusal.self) {
                try operation.changeConfiguration(members, mask: ["signIn.phoneNumber.testPhoneNumbers"])
            }
            #expect(try operation.testNumbers().isEmpty)
            try operation.deleteAccount(uid: user.uid)
            try setTestNumber()
        }

        @Test("a user whose sign-in overtakes the new test number is not reachable by the test code")
        func overtaken() throws {
            let real = try operation.session(for: number)
            try setTestNumber()
            let test = try operation.session(for: number)
            let user = try operation.signIn(real, try operation.code(of: real), request: "real")
            #expect(operation.answer(test, code, request: "test") == .expired)
            // The number is an ordinary one from now on.
            #expect(try operation.testNumbersOfUsers() == [number])
            let sent = operation.send(to: number, client: 2)
            #expect(sent.outcome == .opened)
            let session = try #require(sent.sessionInfo)
            #expect(operation.answer(session, code, request: "w") == .wrong(attemptsLeft: 4))
            #expect(try operation.signIn(session, try operation.code(of: session), request: "o").uid == user.uid)
            try operation.expectSoundAccounts()
        }

        @Test("a test code neither reauthenticates a user nor takes the number of one by a link")
        func otherWays() throws {
            let real = try operation.session(for: number)
            try setTestNumber()
            let tests = try (1...3).map { try operation.session(for: number, client: $0 + 1) }
            _ = try operation.signIn(real, try operation.code(of: real), request: "real")
            let mallory = try operation.signIn("+16505550141")
            let reauthentication = SignInWithPhoneNumberRequest(
                .code(sessionInfo: tests[0], code: code),
                operation: .reauthenticate
            )
            #expect(operation.answer(reauthentication) == .noAccount)
            let link = SignInWithPhoneNumberRequest(
                .code(sessionInfo: tests[1], code: code),
                idToken: mallory.idToken
            )
            let proof = try #require(operation.answer(link).temporaryProof)
            #expect(operation.answer(proof: proof, number) == .expired)
            try operation.expectSoundAccounts()
        }

        @Test("a removed test number signs in to its account when it is set again, and the log marks these sign-ins")
        func setAgain() throws {
            try setTestNumber()
            let first = try signInByTestCode()
            #expect(first.isNewUser)
            #expect(try operation.removeTestNumber(number))
            try setTestNumber()
            #expect(try signInByTestCode().uid == first.uid)
            #expect(try details(of: first.uid) == ["sign-up phone test-number", "sign-in phone test-number"])
            #expect(try operation.testNumbersOfUsers().isEmpty)
        }

        @Test("after a test number is removed, a user whom a message reaches gets an account of their own")
        func removed() throws {
            try setTestNumber()
            let test = try signInByTestCode()
            #expect(try operation.removeTestNumber(number))
            let user = try operation.signIn(number)
            #expect(user.uid != test.uid)
            #expect(user.isNewUser)
            let accounts = try operation.accounts()
            #expect(accounts[test.uid]?.phoneNumber == nil)
            #expect(accounts[user.uid]?.phoneNumber == number)
            #expect(try details(of: test.uid).last == "recycled-number test-number")
            #expect(throws: TestNumberRefusal.numberOfUser) { try setTestNumber() }
            try operation.expectSoundAccounts()
        }

        @Test("a number that a test code linked signs in to that account, until a message proves it for another one")
        func links() throws {
            let first = try operation.signUp("ada@example.com", request: "a")
            try setTestNumber()
            let session = try operation.session(for: number)
            let link = SignInWithPhoneNumberRequest(.code(sessionInfo: session, code: code), idToken: first.idToken)
            #expect(operation.answer(link).uid == first.account.uid)
            #expect(try signInByTestCode().uid == first.account.uid)
            #expect(try details(of: first.account.uid).contains("link phone test-number"))
            #expect(try operation.removeTestNumber(number))
            // The account itself may prove the number by a message: then it keeps it.
            let own = try signIn("ada@example.com")
            #expect(try operation.link(number, to: own.idToken).uid == first.account.uid)
            #expect(try operation.signIn(number, client: 2).uid == first.account.uid)
            #expect(throws: TestNumberRefusal.numberOfUser) { try setTestNumber() }
            try operation.expectSoundAccounts()
        }

        @Test("a message's proof links a former test number to another account")
        func takenByLink() throws {
            try setTestNumber()
            let test = try signInByTestCode()
            #expect(try operation.removeTestNumber(number))
            let ada = try operation.signUp("ada@example.com", request: "a")
            #expect(try operation.link(number, to: ada.idToken).uid == ada.account.uid)
            #expect(try operation.accounts()[test.uid]?.phoneNumber == nil)
            try operation.expectSoundAccounts()
        }

        @Test("operators cannot give a test number to an account, as a number or as a second factor")
        func operators() throws {
            try setTestNumber()
            let ada = try operation.secondFactorUser()
            var change = AccountChange()
            change.phoneNumber = .set(number)
            var factors = AccountChange()
            factors.secondFactors = [AssignedSecondFactor(.made, .phone(number: number))]
            func refusal(_ attempt: () throws(AccountRefusal) -> Account) -> String {
                do {
                    _ = try attempt()
                    return "none"
                } catch {
                    return "\(error)"
                }
            }
            for (change, expected) in [
                (change, "numberIsTestNumber"),
                (factors, "secondFactor(PhoneAuth.AssignedSecondFactorFault.numberIsTestNumber)"),
            ] {
                #expect(
                    refusal { () throws(AccountRefusal) in
                        try operation.createAccount(uid: "bob", change)
                    } == expected
                )
                #expect(
                    refusal { () throws(AccountRefusal) in
                        try operation.changeAccount(uid: ada.account.uid, change)
                    } == expected
                )
                let imported = ImportedAccount(uid: "eve", change, source: [1])
                for isDryRun in [true, false] {
                    let outcome = try operation.importAccounts([imported], .refuse, isDryRun: isDryRun)
                    #expect("\(outcome)".contains("numberIsTestNumber"))
                }
            }
            #expect(try operation.accounts().count == 1)
        }

        @Test("operators can repeat the test numbers that an account has, and nothing changes")
        func repeated() throws {
            try setTestNumber()
            let test = try signInByTestCode()
            var change = AccountChange()
            change.phoneNumber = .set("+1 (650) 555-0140")
            #expect(try operation.changeAccount(uid: test.uid, change).phoneNumber == number)
            for (name, expected) in [(nil, "unchanged"), ("Ada", "overwritten")] {
                if let name { change.displayName = .set(name) }
                let imported = ImportedAccount(uid: test.uid, change, source: [1])
                // An account that needs no change is not compared with `existing`.
                for isDryRun in [true, false] {
                    let outcomes = try operation.importAccounts([imported], .overwrite, isDryRun: isDryRun)
                    #expect("\(outcomes)".hasSuffix("\(expected)]"))
                }
            }
            #expect(throws: AccountRefusal.self) { try operation.createAccount(uid: test.uid, change) }
            // The number is still the test code's.
            #expect(try operation.testNumbersOfUsers().isEmpty)
            #expect(try signInByTestCode().uid == test.uid)
            #expect(try operation.accounts()[test.uid]?.displayName == "Ada")

            let bob = try operation.secondFactorUser("bob@example.com")
            let enrollment = try operation.startEnrollment(number, bob.idToken)
            _ = try operation.finishEnrollment(.phone(sessionInfo: enrollment, code: code), bob.idToken)
            let factor = try #require(try operation.challenge("bob@example.com").account.secondFactors.first)
            var factors = AccountChange()
            factors.secondFactors = [AssignedSecondFactor(.named(factor.id), .phone(number: number))]
            #expect(try operation.changeAccount(uid: bob.account.uid, factors).secondFactors.map(\.id) == [factor.id])
            try operation.expectSoundAccounts()
        }

        @Test("a test code proves a second factor only if it enrolled it")
        func secondFactors() throws {
            let ada = try operation.secondFactorUser()
            _ = try operation.enroll(number, ada.idToken)
            try setTestNumber()
            let challenge = try operation.challenge()
            let factor = try #require(challenge.account.secondFactors.first)
            let session = try operation.startSecondFactor(factor.id, challenge)
            #expect(
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try operation.finish(.phone(sessionInfo: session, code: code), challenge)
                } == .codeWrong
            )
            _ = try operation.finish(
                .phone(sessionInfo: session, code: try operation.code(of: session)),
                challenge,
                request: "real"
            )

            let bob = try operation.secondFactorUser("bob@example.com")
            let enrollment = try operation.startEnrollment(number, bob.idToken)
            _ = try operation.finishEnrollment(.phone(sessionInfo: enrollment, code: code), bob.idToken)
            let next = try operation.challenge("bob@example.com")
            let test = try operation.startSecondFactor(try #require(next.account.secondFactors.first).id, next)
            let tokens = try operation.finish(.phone(sessionInfo: test, code: code), next, request: "test")
            #expect(try details(of: tokens.account.uid).last == "sign-in password phone test-number")
        }

        private func signIn(_ email: String) throws -> IssuedTokens {
            try #require(
                try operation.signInWithPassword(
                    SignInWithPasswordRequest(
                        email: email,
                        password: "correct horse",
                        client: ClientDescription(networkAddress: "192.0.2.1")
                    )
                ).tokens
            )
        }
    }
}
