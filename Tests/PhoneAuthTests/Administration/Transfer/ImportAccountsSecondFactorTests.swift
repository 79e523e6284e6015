import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Imports of second factors.
    @Suite struct ImportAccountsSecondFactorTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let factors = AssignedSecondFactor.phoneAndApp

        init() throws {
            (deployment, authenticator) = try Deployment.ofManyMessages()
            project = deployment.project(secondFactors: .optional)
        }

        private func ada(_ factors: [AssignedSecondFactor]?, source: UInt8 = 1) -> ImportedAccount {
            var change = AccountChange()
            change.email = .set("ada@example.com")
            change.secondFactors = factors
            return ImportedAccount(uid: "ada", change, source: [source])
        }

        private func imported(
            _ account: ImportedAccount,
            existing: ExistingAccounts = .refuse,
            isDryRun: Bool = false,
            by authenticator: Authenticator? = nil
        ) throws -> String {
            let outcomes = try (authenticator ?? self.authenticator)
                .in(project).importAccounts([account], existing, isDryRun: isDryRun)
            return "\(outcomes[0])"
        }

        @Test("factors are imported with their account, and a repeated import changes nothing")
        func again() throws {
            #expect(try imported(ada(factors)) == "created")
            let found = try #require(try authenticator.in(project).accounts(uids: ["ada"]).first)
            #expect(found.secondFactors.map(\.id) == ["phone", "app"])
            #expect(found.secondFactors.map(\.displayName) == ["Mine", nil])
            #expect(try imported(ada(factors)) == "unchanged")
            #expect(try imported(ada(Array(factors.reversed()))) == "unchanged")
            // Factors that the import does not name are kept.
            #expect(try imported(ada(nil)) == "unchanged")
        }

        @Test(
            "an account whose factors differ from those of the record counts as different",
            arguments: [0, 1, 2, 3]
        )
        func others(change: Int) throws {
            _ = try imported(ada(factors))
            var others = factors
            switch change {
            case 0: others[0].displayName = "Hers"
            case 1: others[0].content = .phone(number: "+16505550162")
            case 2: others[1].content = .totp(secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
            default: others.removeLast()
            }
            #expect(try imported(ada(others, source: 2)).contains("uidTaken"))
            #expect(try imported(ada(others, source: 2), existing: .overwrite, isDryRun: true) == "overwritten")
            #expect(try imported(ada(others, source: 2), existing: .overwrite) == "overwritten")
            #expect(try imported(ada(others, source: 2)) == "unchanged")
        }

        @Test("an app without a secret is imported only if the account has the secret", arguments: [false, true])
        func withoutSecret(isDryRun: Bool) throws {
            var named = factors
            named[1].content = .presentTOTP
            #expect(try imported(ada(named), isDryRun: isDryRun).contains("secretMissing"))
            #expect(try authenticator.in(project).accounts().isEmpty)
            _ = try imported(ada(factors))
            #expect(try imported(ada(named)) == "unchanged")
            named[1].displayName = "App"
            #expect(
                try imported(ada(named, source: 2), existing: .overwrite, isDryRun: isDryRun) == "overwritten"
            )
        }
    }
}
