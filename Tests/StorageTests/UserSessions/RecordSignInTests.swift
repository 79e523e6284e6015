import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

@Suite struct RecordSignInTests: IdentifierClaimSuite {
    let test: TestStore

    init() throws {
        test = try TestStore()
    }

    private func isValid(_ token: UserSessionIdentity, at now: Int64) throws -> Bool {
        let outcome = try test.exchange(token, at: now)
        if case .refreshed = outcome { return true }
        return false
    }

    @Test(
        "a repeated sign-in gets no tokens after a revocation, or if the account is disabled or its session has ended",
        arguments: ["nothing", "revoked", "disabled", "session ended"]
    )
    func recordedAgain(event: String) throws {
        func record() throws -> TestStore.SignIn { try test.record(uid: "uid", 1, at: test.now) }
        let first = try record()
        switch event {
        case "revoked":
            let revocation = AccountUpdate(fields: [.validSince: String(test.now / 1000)])
            _ = try test.store.updateAccount(first.account, revocation, audit: nil)
        case "disabled":
            _ = try test.store.updateAccount(first.account, AccountUpdate(fields: [.isDisabled: "1"]), audit: nil)
        case "session ended":
            let session = try #require(test.keyNames(matching: "*:session:*").first)
            test.redis.cli("HSET", session, "reused", "1")
        default: break
        }
        switch try record().outcome {
        case .signedIn(_, let isNew, _): #expect(event == "nothing" && isNew)
        case .hindered(.disabled): #expect(event == "disabled")
        case .hindered(.token(.revoked)): #expect(event == "revoked" || event == "session ended")
        case let other: Issue.record("\(other)")
        }
    }

    @Test("an account gets its revocation counter with its first tokens and keeps it")
    func firstRevocation() throws {
        #expect(try test.create("uid", request: "r")?.revocation == nil)
        for sign in 1...2 as ClosedRange<UInt8> {
            guard case .signedIn(let record, _, _) = try test.record(uid: "uid", sign, at: test.now).outcome else {
                Issue.record("not signed in")
                return
            }
            #expect(record.revocation == 1 << 48)
        }
    }

    @Test("beyond the maximum number of refresh tokens, the least recently used one is evicted")
    func tokenBound() throws {
        let tokens = try (0..<3).map { index in
            try test.record(uid: "uid", UInt8(index), at: test.now + Int64(index), maximumSessions: 3).token
        }
        // The oldest token is used, so the second one is now the least recently used.
        #expect(try isValid(tokens[0], at: test.now + 10))
        let fourth = try test.record(uid: "uid", 3, at: test.now + 11, maximumSessions: 3).token
        #expect(try !isValid(tokens[1], at: test.now + 12))
        for token in [tokens[0], tokens[2], fourth] { #expect(try isValid(token, at: test.now + 12)) }
        #expect(test.keyNames(matching: "*:session:*").count == 3)
        // A lower maximum takes effect with the next sign-in.
        let fifth = try test.record(uid: "uid", 4, at: test.now + 13, maximumSessions: 1).token
        #expect(try isValid(fifth, at: test.now + 14))
        #expect(test.keyNames(matching: "*:session:*").count == 1)
    }

    @Test("a new refresh token is kept even if the worker's clock is slow")
    func tokenOfSlowClock() throws {
        _ = try test.record(uid: "uid", 0, at: test.now + 50, maximumSessions: 1)
        let newest = try test.record(uid: "uid", 1, at: test.now, maximumSessions: 1).token
        #expect(try isValid(newest, at: test.now))
    }

    @Test("one account's refresh tokens do not evict another's")
    func tokensOfOthers() throws {
        let other = try test.record(uid: "other", 100, at: test.now, maximumSessions: 1).token
        for index in 0..<3 as Range<UInt8> {
            _ = try test.record(uid: "uid", index, at: test.now + Int64(index), maximumSessions: 1)
        }
        #expect(try isValid(other, at: test.now))
    }

    @Test("a disabled account cannot be changed and gets no token")
    func disabled() throws {
        let signIn = try test.signIn(1)
        let key = try #require(test.keyNames(matching: "*:user:*").first)
        test.redis.cli("HSET", key, "disabled", "1")
        let before = test.redis.cli("HGETALL", key)
        guard case .hindered(.disabled) = try test.record(uid: signIn.account.uid, 2, at: test.now + 5).outcome else {
            Issue.record("signed in")
            return
        }
        #expect(test.redis.cli("HGETALL", key) == before)
        #expect(test.keyNames(matching: "*:session:*").count == 1)
    }

    @Test("a number creates an account only while its claim is fresh")
    func freshness() throws {
        let claim = test.claim(1, uid: "uid")
        let late = try test.record(uid: "uid", 1, at: test.now, claim: claim, isFresh: false)
        #expect(describe(late.outcome) == "no account")
        let other = test.claim(2, uid: "other")
        #expect(describe(try test.record(uid: "other", 2, at: test.now, claim: other).outcome) == "new")
    }

    @Test("an account takes the number that it noted, and only with the noted claim")
    func taking() throws {
        try makeAccount("uid")
        let (first, second) = (test.claim(1, uid: "uid"), test.claim(2, uid: "uid"))
        var sessions: UInt8 = 0
        func take(_ claim: IdentifierClaim, isFresh: Bool = true) throws -> String {
            sessions += 1
            let signIn = try test.record(
                uid: "uid",
                sessions,
                at: test.now,
                claim: claim,
                isFresh: isFresh,
                mayCreate: false
            )
            return describe(signIn.outcome)
        }
        #expect(try take(first) == "not held")
        #expect(try test.store.proposeIdentifier(.phone, [1], first, to: test.identity("uid")) == .proposed)
        #expect(try take(second) == "not held")
        #expect(try isHeld(first))
        for isFresh in [true, false] { #expect(try take(first, isFresh: isFresh) == "known") }
        #expect(try test.store.proposeIdentifier(.phone, [2], second, to: test.identity("uid")) == .proposed)
        #expect(try take(second) == "known instead of \(first.id)")
        #expect(try take(first) == "not held")
    }
}
