import PhoneAuth
import Testing

extension PhoneAuthTests {
    /// Moving a list of accounts of the previous version to pages.
    @Suite struct CompactAccountListTests {
        @Test("a list of any length is moved, because each step has its own deadline")
        func deadlines() throws {
            let deployment = try Deployment()
            let authenticator = deployment.authenticator()
            let operation = authenticator.in(deployment.project)
            let uids = (0..<250).map { "user\($0 + 100)" }
            for (index, uid) in uids.enumerated() {
                deployment.cli("ZADD", "dt:{u\(index % 64)}:users:\(operation.project.id)", "0", uid)
            }

            authenticator.setDeadline(.now - .seconds(1))
            var moved = 0
            try operation.compactAccountList { moved += $0 }
            #expect(moved == uids.count)
            #expect(try deployment.authenticator().in(deployment.project).uids(after: nil, limit: 1000) == uids)
        }
    }
}
