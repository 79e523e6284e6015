import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// Deletions of accounts by the requests that created them.
@Suite struct DeleteCreatedAccountTests: IdentifierClaimSuite {
    let test: TestStore

    init() throws {
        test = try TestStore()
    }

    /// Returns whether an account was deleted for a request because the request created it.
    private func delete(_ uid: String, createdBy request: String) throws -> Bool {
        let deletion = try test.store.deleteAccount(
            test.identity(uid),
            ifMadeBy: request,
            givingUp: !request.hasPrefix("import/"),
            requestID: request,
            markMilliseconds: 60_000,
            audit: nil
        )
        return deletion.identifiers != nil
    }

    @Test("a request deletes the account that it created, and no other account of this uid")
    func created() throws {
        #expect(try test.create("uid", request: "a") != nil)
        #expect(try !delete("uid", createdBy: "b"))
        #expect(try test.store.account(test.identity("uid"))?.isMade(byCreation: "a") == true)
        #expect(try delete("uid", createdBy: "a"))
        #expect(try test.store.account(test.identity("uid")) == nil)
        #expect(try delete("uid", createdBy: "a"), "a repetition succeeds")
        #expect(try test.create("uid", request: "b") != nil)
        #expect(try !delete("uid", createdBy: "a"))
        #expect(try test.store.account(test.identity("uid"))?.isMade(byCreation: "b") == true)
    }

    @Test("a request cannot create an account after its own deletion of it", arguments: [false, true])
    func delayed(isFirst: Bool) throws {
        if !isFirst { #expect(try test.create("uid", request: "a") != nil) }
        #expect(try delete("uid", createdBy: "a") == !isFirst)
        #expect(throws: StoreUnavailable.self) { try test.create("uid", request: "a") }
        #expect(try test.store.account(test.identity("uid")) == nil)
        let wasDeleted = test.redis.cli("EXISTS", KeyNames.deletedUser(test.identity("uid")))
        #expect(wasDeleted == (isFirst ? "0" : "1"), "an account that never existed does not count as deleted")
        #expect(try test.create("uid", request: "b") != nil)
    }

    @Test("the next run of an import, which has the same identity, can create an account that an earlier run deleted")
    func imported() throws {
        for _ in 0..<2 {
            _ = try delete("uid", createdBy: "import/a")
            #expect(try test.create("uid", request: "import/a") != nil)
        }
    }

    @Test("a request does not delete its account after a sign-in or a change", arguments: ["sign-in", "change"])
    func used(use: String) throws {
        let account = test.identity("uid")
        #expect(try test.create("uid", request: "a") != nil)
        if use == "change" {
            let update = AccountUpdate(fields: [.displayName: "Ada"])
            _ = try test.store.updateAccount(account, update, audit: nil)
        } else {
            let claim = test.claim(1, uid: "uid")
            #expect(try test.store.proposeIdentifier(.phone, [1], claim, to: account) == .proposed)
            _ = try test.record(uid: "uid", 1, at: test.now, claim: claim, mayCreate: false)
        }
        #expect(try !delete("uid", createdBy: "a"))
        #expect(try test.store.account(account)?.isMade(byCreation: "a") == false)
    }

    @Test("a change leaves the request of the sign-in that created the account, whose repetition finds it")
    func signIn() throws {
        let claim = test.claim(1, uid: "uid")
        _ = try test.record(uid: "uid", 1, at: test.now, claim: claim)
        let before = test.redis.cli("HGET", KeyNames.user(test.identity("uid")), "made-by")
        let update = AccountUpdate(fields: [.displayName: "Ada"])
        _ = try test.store.updateAccount(test.identity("uid"), update, audit: nil)
        #expect(test.redis.cli("HGET", KeyNames.user(test.identity("uid")), "made-by") == before)
        #expect(!before.isEmpty)
    }
}
