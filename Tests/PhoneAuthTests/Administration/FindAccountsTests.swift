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
    }
}
