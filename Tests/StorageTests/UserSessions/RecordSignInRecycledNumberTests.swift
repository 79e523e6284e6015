import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// A sign-in with a number that its account has not proven recently.
@Suite struct RecordSignInRecycledNumberTests {
    let test: TestStore
    let claim: IdentifierClaim
    let account: AccountIdentity

    /// Creates an account with a number and, unless a test removes it, another way to sign in.
    init() throws {
        test = try TestStore()
        let signIn = try test.signIn(1)
        (claim, account) = (test.claim(1), signIn.account)
        let key = try #require(test.keyNames(matching: "*:user:*").first)
        test.redis.cli("HSET", key, "email", "sealed", "email-claim", "1-claim", "password", "sealed")
    }

    private var key: String { test.keyNames(matching: "*:user:*").first ?? "" }

    private func signIn(_ answer: RecycledNumberRule.Answer, provenBefore: Int64) throws -> SignInRecord.Outcome {
        try test.record(
            uid: account.uid,
            2,
            at: test.now + 1000,
            claim: claim,
            recycledNumbers: RecycledNumberRule(answer, provenBefore: provenBefore)
        ).outcome
    }

    private func events() throws -> [String] {
        var log = test.store.auditLog(of: account, since: 0, latestFirst: false)
        var events: [String] = []
        while let event = try log.next() { events.append("\(event.kind) \(event.detail ?? "") \(event.actor)") }
        return events
    }

    @Test("only a correct code or a link proves the number again")
    func proven() throws {
        #expect(test.redis.cli("HGET", key, "phone-proven") == "\(test.now)")
        _ = try test.record(uid: account.uid, 2, at: test.now + 1000)
        #expect(test.redis.cli("HGET", key, "phone-proven") == "\(test.now)")
        _ = try test.record(uid: account.uid, 3, at: test.now + 1000, claim: claim)
        #expect(test.redis.cli("HGET", key, "phone-proven") == "\(test.now + 1000)")
        _ = try test.store.updateAccount(account, AccountUpdate(removesNumber: true), audit: nil)
        #expect(test.redis.cli("HEXISTS", key, "phone-proven") == "0")
    }

    @Test("under the policy ask, another factor is required, and only the event allowance changes")
    func ask() throws {
        let before = test.redis.cli("HGETALL", key)
        guard case .hindered(.recycled) = try signIn(.ask, provenBefore: test.now + 1) else {
            Issue.record("signed in")
            return
        }
        #expect(test.redis.cli("HDEL", key, "events-used-until:recycled-number") == "1")
        #expect(test.redis.cli("HGETALL", key) == before)
        #expect(try events() == ["sign-up phone user", "recycled-number ask server"])
    }

    @Test("under the policy fresh, the account loses only its number, and the loss is logged once")
    func fresh() throws {
        for _ in 0..<2 {
            guard case .hindered(.notHeld) = try signIn(.fresh, provenBefore: test.now + 1) else {
                Issue.record("signed in")
                return
            }
        }
        // Without the number, the account must not look like one that the request did not complete.
        for field in ["phone", "phone-claim", "phone-proven", "made-by"] {
            #expect(test.redis.cli("HEXISTS", key, field) == "0")
        }
        for field in ["email", "email-claim", "password"] { #expect(test.redis.cli("HEXISTS", key, field) == "1") }
        #expect(try events() == ["sign-up phone user", "recycled-number fresh server"])
    }

    @Test(
        "a recently proven or linked number signs in, and so does the number of an account without another factor"
    )
    func notRecycled() throws {
        func isSignedIn(provenBefore: Int64) throws -> Bool {
            if case .signedIn = try signIn(.ask, provenBefore: provenBefore) { return true }
            return false
        }
        #expect(try isSignedIn(provenBefore: test.now))
        for field in ["email", "password"] {
            let value = test.redis.cli("HGET", key, field)
            test.redis.cli("HDEL", key, field)
            #expect(try isSignedIn(provenBefore: test.now + 5000))
            test.redis.cli("HSET", key, field, value)
        }
        let next = test.claim(9, uid: account.uid)
        #expect(try test.store.proposeIdentifier(.phone, [9], next, to: account) == .proposed)
        let rule = RecycledNumberRule(.fresh, provenBefore: test.now + 5000)
        let finished = try test.record(uid: account.uid, 3, at: test.now + 1000, claim: next, recycledNumbers: rule)
        guard case .signedIn = finished.outcome else {
            Issue.record("a number that was just linked is not old")
            return
        }
    }

    @Test("the number of an account that never proved it counts as proven at the account's creation")
    func neverProven() throws {
        test.redis.cli("HDEL", key, "phone-proven")
        guard case .hindered(.recycled) = try signIn(.ask, provenBefore: test.now + 1) else {
            Issue.record("signed in")
            return
        }
    }

    @Test("a disabled account keeps its number")
    func disabled() throws {
        test.redis.cli("HSET", key, "disabled", "1")
        guard case .hindered(.disabled) = try signIn(.fresh, provenBefore: test.now + 1) else {
            Issue.record("not disabled")
            return
        }
        #expect(test.redis.cli("HEXISTS", key, "phone") == "1")
    }

    @Test("linking the number removes it from its account by the same rule")
    func link() throws {
        func holds(_ provenBefore: Int64?) throws -> Bool {
            try test.store.holdsClaim(
                claim,
                of: .phone,
                isFresh: true,
                in: "demo",
                markMilliseconds: 60_000,
                losingNumberProvenBefore: provenBefore,
                audit: test.audit()
            )
        }
        #expect(try holds(nil) && holds(test.now))
        #expect(try !holds(test.now + 1) && !holds(nil))
        #expect(test.redis.cli("HEXISTS", key, "made-by") == "0")
        #expect(try events() == ["sign-up phone user", "recycled-number fresh server"])
    }
}
