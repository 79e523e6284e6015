import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct ExportAccountsTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550150"

        init() throws {
            (deployment, authenticator) = try Deployment.ofManyMessages()
            project = deployment.projectWithEverything
        }

        @Test("an export stops if the keys cannot decrypt the accounts")
        func otherKeys() throws {
            var change = AccountChange()
            change.phoneNumber = .set(number)
            let imported = [
                ImportedAccount(uid: "a", change, source: [1]), ImportedAccount(uid: "b", AccountChange(), source: [2]),
            ]
            _ = try authenticator.in(project).importAccounts(imported, .refuse)
            let stranger = deployment.authenticator(keys: try TestKeys.make(seed: 2))
            #expect(throws: ExportFailure.self) {
                try stranger.in(project).exportAccounts(uids: ["a"], includesCredentials: false)
            }
            #expect(try stranger.in(project).exportAccounts(uids: ["b"], includesCredentials: false).count == 1)
        }

        @Test("secrets are exported only with passwords, and wrong keys stop an export")
        func secrets() throws {
            let project = deployment.project(secondFactors: .optional)
            let secret = AssignedSecondFactor.secret
            var change = AccountChange()
            change.email = .set("ada@example.com")
            change.secondFactors = AssignedSecondFactor.phoneAndApp
            let imported = ImportedAccount(uid: "ada", change, source: [1])
            _ = try authenticator.in(project).importAccounts([imported], .refuse)
            for includesCredentials in [false, true] {
                let exported = try #require(
                    try authenticator.in(project).exportAccounts(
                        uids: ["ada"],
                        includesCredentials: includesCredentials
                    ).first
                )
                #expect(exported.secondFactors.map(\.secret) == [nil, includesCredentials ? secret : nil])
                #expect(exported.secondFactors.map(\.factor.kind) == [.phone(number: "+16505550161"), .totp])
                #expect(!"\(exported.secondFactors)".contains(secret))
            }
            change = AccountChange()
            change.email = .removed
            _ = try authenticator.in(project).changeAccount(uid: "ada", change)
            let stranger = deployment.authenticator(keys: try TestKeys.make(seed: 2))
            #expect(throws: ExportFailure.self) {
                try stranger.in(project).exportAccounts(uids: ["ada"], includesCredentials: false)
            }
        }
    }
}
