import TestServers
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct CreateAccountTests: AccountAdministrationSuite {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550150"

        init() throws {
            (deployment, authenticator) = try Deployment.ofManyMessages()
            project = deployment.projectWithEverything
        }

        @Test("signing in with a number finds the account that was created with it")
        func createWithNumber() throws {
            let account = try create("ada", number: number)
            #expect(account.uid == "ada" && account.phoneNumber == number && account.lastLoginAt == nil)
            let signedIn = try authenticator.in(project).signIn(number)
            #expect(signedIn.uid == "ada" && !signedIn.isNewUser)
            #expect(try authenticator.in(project).account(ofPhoneNumber: number)?.uid == "ada")
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("a uid or number that is in use creates no account")
        func taken() throws {
            let owner = try authenticator.in(project).signIn(number).uid
            #expect(refusal { () throws(AccountRefusal) in try create(owner, request: "q") } == "uidTaken")
            #expect(refusal { () throws(AccountRefusal) in try create("bob", number: number) } == "numberExists")
            #expect(try authenticator.in(project).accounts().keys.sorted() == [owner])
            for wrong in ["", "123", "+1650"] {
                #expect(refusal { () throws(AccountRefusal) in try create("bob", number: wrong) } == "numberInvalid")
            }
            let long = String(repeating: "x", count: 129)
            for wrong in [long, "a\u{0}b", "a\n", "\u{7F}", "\u{85}"] {
                #expect(refusal { () throws(AccountRefusal) in try create(wrong) } == "uidInvalid")
            }
            // A repeated request gets the same response.
            #expect(try create("eve", request: "s").uid == "eve")
            #expect(try create("eve", request: "s").uid == "eve")
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("an account cannot have a number that its project refuses to send to")
        func refusedNumber() throws {
            let refusing = Project(id: project.id, authorizedDomains: [], unassignedNumbers: .refused)
            func create(_ uid: String, _ number: String) throws(AccountRefusal) -> Account {
                var change = AccountChange()
                change.phoneNumber = .set(number)
                return try authenticator.in(refusing).createAccount(uid: uid, change, requestID: uid)
            }
            #expect(refusal { () throws(AccountRefusal) in try create("bob", "+19995550100") } == "numberInvalid")
            #expect(try create("ada", number).phoneNumber == number)
            // By default, the user can sign in.
            #expect(try self.create("eve", number: "+19995550100").uid == "eve")
            #expect(try authenticator.in(project).signIn("+19995550100").uid == "eve")
        }

        @Test("of racing creations of accounts with one address, one succeeds")
        func racing() throws {
            let uids = (0..<8).map { "user\($0)" }
            let made = try inParallel(uids.count) { [deployment, project] racer in
                var change = AccountChange()
                change.email = .set("one@example.com")
                let uid = uids[racer]
                return (try? deployment.authenticator().in(project).createAccount(uid: uid, change, requestID: uid))
                    != nil
            }
            #expect(made.filter { $0 }.count == 1)
            #expect(try authenticator.in(project).accounts().count == 1)
            try authenticator.in(project).expectSoundAccounts()
        }
    }
}
