import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// The individual steps in which identifiers are claimed for accounts.
@Suite struct IdentifierClaimsTests: IdentifierClaimSuite {
    let test: TestStore

    init() throws {
        test = try TestStore()
    }

    @Test("a claim is set if there is none or only a void one; otherwise the current claim is returned")
    func claiming() throws {
        let (first, second, third) = (test.claim(1), test.claim(2), test.claim(3))
        for _ in 0..<2 { #expect(try test.store.claimIdentifier(test.phone, first, replacing: first) == first) }
        #expect(try test.store.claimIdentifier(test.phone, second, replacing: nil) == first)
        #expect(try test.store.claimIdentifier(test.phone, second, replacing: third) == first)
        // Another claim of the same account is not the current one, either.
        #expect(try test.store.claimIdentifier(test.phone, second, replacing: test.claim(9, uid: first.uid)) == first)
        #expect(try test.store.claimIdentifier(test.phone, second, replacing: first) == second)
        #expect(try test.store.claim(of: test.phone) == second)
    }

    @Test("an identifier is claimed, and its claim replaced, even when Redis has reached maxmemory")
    func fullMemory() throws {
        let (first, second) = (test.claim(1), test.claim(2))
        #expect(try test.store.claim(of: test.phone) == nil)
        test.redis.cli("CONFIG", "SET", "maxmemory", "1")
        #expect(try test.store.claimIdentifier(test.phone, first, replacing: nil) == first)
        #expect(try test.store.claimIdentifier(test.phone, second, replacing: first) == second)
    }

    @Test("each new note for an e-mail address decides again whether taking the address revokes tokens")
    func replacedNote() throws {
        try makeAccount("uid")
        let (first, second) = (test.claim(1, uid: "uid"), test.claim(2, uid: "uid"))
        let account = test.identity("uid")
        #expect(try test.store.proposeIdentifier(.email, [1], first, to: account, revokingTokensAt: 5) == .proposed)
        #expect(try test.store.proposeIdentifier(.email, [1], second, to: account) == .proposed)
        let key = try #require(test.keyNames(matching: "*:user:*").first)
        #expect(test.redis.cli("HEXISTS", key, "pending-email-revokes") == "0")
    }

    @Test("an expired note stays void", arguments: [true, false])
    func staleNote(byTaking: Bool) throws {
        try makeAccount("uid")
        let claim = test.claim(1, uid: "uid")
        #expect(try test.store.proposeIdentifier(.phone, [1], claim, to: test.identity("uid")) == .proposed)
        if byTaking {
            let late = try test.record(uid: "uid", 1, at: test.now, claim: claim, isFresh: false, mayCreate: false)
            #expect(describe(late.outcome) == "not held")
        } else {
            #expect(try !isHeld(claim, isFresh: false))
        }
        #expect(try !isHeld(claim))
    }

    @Test("an account that was found missing is not created by a concurrent request", arguments: [true, false])
    func neverCreated(byTaking: Bool) throws {
        let claim = test.claim(1, uid: "uid")
        if byTaking {
            let outcome = try test.record(uid: "uid", 1, at: test.now, claim: claim, mayCreate: false).outcome
            #expect(describe(outcome) == "no account")
        } else {
            #expect(try !isHeld(claim))
        }
        #expect(describe(try test.record(uid: "uid", 2, at: test.now, claim: claim).outcome) == "no account")
        #expect(try test.store.proposeIdentifier(.phone, [1], claim, to: test.identity("uid")) == .noAccount)
        #expect(test.keyNames(matching: "*:user:*") == [])
    }

    @Test("a number releases its account only while its claim is current")
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
}
