import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct FindAccountsTests: AccountAdministrationSuite {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project

        init() throws {
            (deployment, authenticator) = try Deployment.ofManyMessages()
            project = deployment.projectWithEverything
        }

        @Test("pages of any size list each account once, sorted by uid", arguments: [1, 7, 20, 64, 1000])
        func pages(size: Int) throws {
            let uids = (0..<150).map { "user\($0)" }
            for uid in uids { _ = try create(uid, request: uid) }
            var seen: [String] = []
            var last: String?
            repeat {
                let page = try authenticator.in(project).accounts(after: last, limit: size)
                #expect(page.accounts.count <= size && (page.last == nil || page.accounts.count == size))
                seen += page.accounts.map(\.uid)
                last = page.last
            } while last != nil
            #expect(seen == uids.sorted())
            #expect(try authenticator.in(project).accountCount() == 150)
        }

        @Test(
            "a number with and without its plan's mobile token is one account's",
            arguments: [("+54 9 11 2345 6789", "+54 11 2345 6789"), ("+52 55 1234 5678", "+52 1 55 1234 5678")]
        )
        func spellings(canonical: String, other: String) throws {
            let uid = try authenticator.in(project).signIn(other).uid
            #expect(try authenticator.in(project).signIn(canonical, client: 2).uid == uid)
            for spelling in [canonical, other] {
                let account = try #require(try authenticator.in(project).account(ofPhoneNumber: spelling))
                #expect(account.uid == uid && account.phoneNumber == canonical.filter { $0 != " " })
                #expect(
                    refusal { () throws(AccountRefusal) in try create("bob", number: spelling) } == "numberExists"
                )
            }
            try authenticator.in(project).expectSoundAccounts()
        }
    }
}
