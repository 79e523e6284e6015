import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

@Suite struct AccountsTests: IdentifierClaimSuite {
    let test: TestStore

    init() throws {
        test = try TestStore()
    }

    @Test("a deleted account leaves only a marker, and a concurrent sign-in does not restore it")
    func deletion() throws {
        let signIn = try test.signIn(1)
        #expect(
            try test.store.deleteAccount(signIn.account, requestID: "r", markMilliseconds: 60_000, audit: nil)
                .identifiers?.count == 1
        )
        let isThere = try test.store.account(signIn.account) != nil
        #expect(!isThere)
        #expect(try test.store.accounts(of: "demo", in: signIn.account.shard) == [])
        #expect(test.keyNames(matching: "*:user:*") + test.keyNames(matching: "*:sessions:*") == [])
        let late = try test.record(uid: signIn.account.uid, 2, at: test.now, claim: test.claim(1))
        guard case .hindered(.noAccount) = late.outcome else {
            Issue.record("the account came back")
            return
        }
        #expect(test.keyNames(matching: "*:user:*") == [])
        let exchange = try test.exchange(signIn.token)
        guard case .noAccount = exchange else {
            Issue.record("the token is good")
            return
        }
    }

    @Test(
        "a deletion returns the numbers to release, including noted ones, and a repeated request succeeds"
    )
    func identifiers() throws {
        try makeAccount("uid")
        let (first, second) = (test.claim(1, uid: "uid"), test.claim(2, uid: "uid"))
        let account = test.identity("uid")
        #expect(try test.store.proposeIdentifier(.phone, [1], first, to: account) == .proposed)
        _ = try test.record(uid: "uid", 1, at: test.now, claim: first, mayCreate: false)
        #expect(try test.store.proposeIdentifier(.phone, [2], second, to: account) == .proposed)
        func delete(_ request: String) throws -> [IdentifierClaim]? {
            try test.store.deleteAccount(account, requestID: request, markMilliseconds: 60_000, audit: nil)
                .identifiers?.map(\.claim)
        }
        #expect(try delete("a") == [first, second])
        #expect(try delete("a") == [])
        #expect(try delete("b") == nil)
    }
}
