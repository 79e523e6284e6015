import Encodings
import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// The result of a sign-in, determined before the sign-in is recorded.
@Suite struct LookAheadAtSignInTests {
    let test: TestStore

    init() throws {
        test = try TestStore()
    }

    private func record(
        _ uid: String,
        mayCreate: Bool = true,
        requiredWays: String = "",
        changes: AccountUpdate = AccountUpdate()
    ) -> SignInRecord {
        let account = test.identity(uid)
        var request = TokenRequest(account: account, provider: .phone, signedInAt: Instant(milliseconds: test.now))
        request.maker = mayCreate ? "maker" : ""
        request.requiredWaysToSignIn = requiredWays
        request.changes = changes
        return SignInRecord(
            request,
            UserSessionIdentity(project: "demo", hash: "token", shard: account.shard),
            secretHash: "secret",
            firstRevocation: 1 << 48,
            client: nil,
            under: Policy(),
            at: request.signedInAt,
            audit: nil
        )
    }

    @Test("a dry run reports whether a sign-in would create an account or find one, and changes nothing")
    func looks() throws {
        guard case .possible(nil) = try test.store.lookAhead(record("uid")),
            case .hindered(.noAccount) = try test.store.lookAhead(record("uid", mayCreate: false))
        else {
            Issue.record("there is no account yet")
            return
        }
        #expect(test.keyNames(matching: "dt:{u*").isEmpty)
        _ = try test.record(uid: "uid", 1, at: test.now)
        let before = test.redis.cli("HGETALL", KeyNames.user(test.identity("uid")))
        guard case .possible(let found?) = try test.store.lookAhead(record("uid")) else {
            Issue.record("there is an account")
            return
        }
        #expect(found.createdAt == test.now)
        #expect(test.redis.cli("HGETALL", KeyNames.user(test.identity("uid"))) == before)
        #expect(test.keyNames(matching: "*:session:*").count == 1)
        _ = try test.store.updateAccount(test.identity("uid"), AccountUpdate(fields: [.isDisabled: "1"]), audit: nil)
        guard case .hindered(.disabled) = try test.store.lookAhead(record("uid")) else {
            Issue.record("it is disabled")
            return
        }
    }

    @Test("an account that a sign-in disables is created disabled and gets no token")
    func disabling() throws {
        let disabling = record("uid", changes: AccountUpdate(fields: [.isDisabled: "1", .displayName: "Ada"]))
        guard case .hindered(.disabled) = try test.store.recordSignIn(disabling) else {
            Issue.record("it signed in")
            return
        }
        let account = try #require(try test.store.account(test.identity("uid")))
        #expect(account.isDisabled && account.displayName == "Ada")
        #expect(test.keyNames(matching: "*:refresh*").isEmpty)
    }

    @Test("if a sign-in requires certain ways to sign in of the account, others are rejected")
    func requiredWays() throws {
        _ = try test.record(uid: "uid", 1, at: test.now)
        let account = KeyNames.user(test.identity("uid"))
        test.redis.cli("HSET", account, "email-claim", "1-a")
        let number = test.redis.cli("HGET", account, "phone-claim")
        guard case .changed = try test.store.recordSignIn(record("uid", requiredWays: "\(number) 1-b 0")),
            case .signedIn = try test.store.recordSignIn(record("uid", requiredWays: "\(number) 1-a 0"))
        else {
            Issue.record("the ways were not looked at")
            return
        }
    }
}
