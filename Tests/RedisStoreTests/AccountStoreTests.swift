import TestServers
import Testing

@testable import RedisStore

@Suite struct AccountStoreTests {
    let test: TestStore

    init() throws {
        test = try TestStore()
    }

    private func isGood(_ token: UserSessionIdentity, at now: Int64) throws -> Bool {
        let exchange = RefreshTokenExchange(session: token, now: now, idleMilliseconds: 86_400_000, audit: nil)
        if case .refreshed = try test.store.exchangeRefreshToken(exchange) { return true }
        return false
    }

    @Test("a number lets go of its account only while its claim stands")
    func deleteIfEqual() throws {
        let uid = try test.signIn(1).account.uid
        let key = try #require(test.keyNames(matching: "*:phone:*").first)
        for other in [test.claim(2, uid: uid), test.claim(1, uid: "other"), test.claim(1, uid: "")] {
            try test.store.releaseIdentifier(test.phone, other)
            #expect(try test.store.claim(of: test.phone) == test.claim(1))
        }
        try test.store.releaseIdentifier(test.phone, test.claim(1))
        #expect(test.redis.cli("EXISTS", key) == "0")
        try test.store.releaseIdentifier(test.phone, test.claim(1))
    }

    @Test(
        "a sign-in that is recorded again gets no tokens once the account is revoked, disabled, or without the session",
        arguments: ["nothing", "revoked", "disabled", "session ended"]
    )
    func recordedAgain(event: String) throws {
        func record() throws -> TestStore.SignIn { try test.record(uid: "uid", 1, at: test.now, secretHash: "secret") }
        let first = try record()
        switch event {
        case "revoked":
            let revocation = AccountUpdate(fields: [.validSince: String(test.now / 1000)])
            _ = try test.store.updateAccount(first.account, revocation, audit: nil)
        case "disabled":
            _ = try test.store.updateAccount(first.account, AccountUpdate(fields: [.isDisabled: "1"]), audit: nil)
        case "session ended":
            let session = try #require(test.keyNames(matching: "*:refresh:*").first)
            test.redis.cli("HSET", session, "reused", "1")
        default: break
        }
        switch try record().outcome {
        case .signedIn(_, let isNew, _): #expect(event == "nothing" && isNew)
        case .disabled: #expect(event == "disabled")
        case .tokenRevoked: #expect(event == "revoked" || event == "session ended")
        case let other: Issue.record("\(other)")
        }
    }

    @Test("beyond the most refresh tokens an account may have, the one unused the longest makes room")
    func tokenBound() throws {
        let tokens = try (0..<3).map { index in
            try test.record(uid: "uid", UInt8(index), at: test.now + Int64(index), maximumSessions: 3).token
        }
        // The oldest is used, so the second is now the one unused the longest.
        #expect(try isGood(tokens[0], at: test.now + 10))
        let fourth = try test.record(uid: "uid", 3, at: test.now + 11, maximumSessions: 3).token
        #expect(try !isGood(tokens[1], at: test.now + 12))
        for token in [tokens[0], tokens[2], fourth] { #expect(try isGood(token, at: test.now + 12)) }
        #expect(test.keyNames(matching: "*:refresh:*").count == 3)
        // A lower bound takes effect with the next sign-in.
        let fifth = try test.record(uid: "uid", 4, at: test.now + 13, maximumSessions: 1).token
        #expect(try isGood(fifth, at: test.now + 14))
        #expect(test.keyNames(matching: "*:refresh:*").count == 1)
    }

    @Test("a new refresh token is kept even by a worker whose clock is behind")
    func tokenOfSlowClock() throws {
        _ = try test.record(uid: "uid", 0, at: test.now + 50, maximumSessions: 1)
        let newest = try test.record(uid: "uid", 1, at: test.now, maximumSessions: 1).token
        #expect(try isGood(newest, at: test.now))
    }

    @Test("one account's refresh tokens do not crowd out another's")
    func tokensOfOthers() throws {
        let other = try test.record(uid: "other", 100, at: test.now, maximumSessions: 1).token
        for index in 0..<3 as Range<UInt8> {
            _ = try test.record(uid: "uid", index, at: test.now + Int64(index), maximumSessions: 1)
        }
        #expect(try isGood(other, at: test.now))
    }

    @Test("a deleted account leaves only a mark, and a sign-in that was on its way does not bring it back")
    func deletion() throws {
        let signIn = try test.signIn(1)
        #expect(
            try test.store.deleteAccount(signIn.account, requestID: "r", markMilliseconds: 60_000, audit: nil)
                .identifiers?.count == 1
        )
        let isThere = try test.store.account(signIn.account) != nil
        #expect(!isThere)
        #expect(try test.store.accounts(of: "demo", in: signIn.account.shard) == [])
        #expect(test.keyNames(matching: "*:user:*") + test.keyNames(matching: "*:refreshes:*") == [])
        let late = try test.record(uid: signIn.account.uid, 1, at: test.now, claim: test.claim(1))
        guard case .noAccount = late.outcome else {
            Issue.record("the account came back")
            return
        }
        #expect(test.keyNames(matching: "*:user:*") == [])
        let exchange = RefreshTokenExchange(session: signIn.token, now: test.now, idleMilliseconds: 1000, audit: nil)
        guard case .noAccount = try test.store.exchangeRefreshToken(exchange) else {
            Issue.record("the token is good")
            return
        }
    }

    @Test("an account that is disabled is neither changed nor given a token")
    func disabled() throws {
        let signIn = try test.signIn(1)
        let key = try #require(test.keyNames(matching: "*:user:*").first)
        test.redis.cli("HSET", key, "disabled", "1")
        let before = test.redis.cli("HGETALL", key)
        guard case .disabled = try test.record(uid: signIn.account.uid, 2, at: test.now + 5).outcome else {
            Issue.record("signed in")
            return
        }
        #expect(test.redis.cli("HGETALL", key) == before)
        #expect(test.keyNames(matching: "*:refresh:*").count == 1)
    }

    @Test("test numbers are bounded in number, not in changes, and each project has its own")
    func testNumbers() throws {
        for index in 0..<3 { #expect(try test.store.setTestNumber("\(index)", [0, 255], of: "demo", atMost: 3)) }
        #expect(try !test.store.setTestNumber("3", [1], of: "demo", atMost: 3))
        #expect(try test.store.setTestNumber("2", [2], of: "demo", atMost: 3))
        #expect(try test.store.setTestNumber("3", [1], of: "other", atMost: 3))
        #expect(try test.store.testNumbers(of: "demo") == ["0": [0, 255], "1": [0, 255], "2": [2]])
        #expect(try test.store.removeTestNumber("0", of: "demo"))
        #expect(try !test.store.removeTestNumber("0", of: "demo"))
        #expect(try test.store.setTestNumber("3", [1], of: "demo", atMost: 3))
    }
}
