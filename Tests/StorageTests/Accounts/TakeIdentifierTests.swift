import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

@Suite struct TakeIdentifierTests: IdentifierClaimSuite {
    let test: TestStore

    init() throws {
        test = try TestStore()
    }

    @Test(
        "a note for an e-mail address that revokes tokens revokes them in whichever step takes the address",
        arguments: ["sign-in", "operator"]
    )
    func revokingAddress(taker: String) throws {
        let account = test.identity("uid")
        func record(_ fill: UInt8, claim: IdentifierClaim? = nil) throws -> TestStore.SignIn {
            try test.record(uid: "uid", fill, at: test.now, claim: claim, mayCreate: claim == nil, email: email)
        }
        func isValid(_ signIn: TestStore.SignIn) throws -> Bool {
            let outcome = try test.exchange(signIn.token)
            guard case .refreshed = outcome else { return false }
            return true
        }
        let email = EmailIdentity(project: "demo", hash: "emailhash", shard: Shard(index: 17))
        let earlier = try record(100)
        let claim = test.claim(1, uid: "uid")
        let seconds = test.now / 1000
        #expect(
            try test.store.proposeIdentifier(.email, [1], claim, to: account, revokingTokensAt: seconds) == .proposed
        )
        let revocation = try test.store.account(account)?.revocation
        if taker == "sign-in" {
            let signIn = try record(1, claim: claim)
            guard case .signedIn(let record, _, _) = signIn.outcome else {
                Issue.record("\(signIn.outcome)")
                return
            }
            // The session that took the address continues.
            #expect(try isValid(signIn) && record.validSince == seconds)
        } else {
            let identifier = NamedIdentifier(email, claim: claim, isFresh: true, sealed: [1])
            let taken = TakenIdentifier(identifier, isVerified: nil, for: account, provenAt: test.now, audit: nil)
            guard case .taken(let record, _) = try test.store.takeIdentifier(taken) else {
                Issue.record("not taken")
                return
            }
            #expect(record.validSince == seconds)
        }
        #expect(try !isValid(earlier))
        #expect(try test.store.account(account)?.revocation == revocation.map { $0 + 1 })
        let key = try #require(test.keyNames(matching: "*:user:*").first)
        #expect(!test.redis.cli("HKEYS", key).contains("pending"))
    }

    @Test("a number keeps the time of its last proof if an import takes it after a sign-in", arguments: [nil, 5])
    func provenMeanwhile(provenAt: Int64?) throws {
        try makeAccount("uid")
        let (account, claim) = (test.identity("uid"), test.claim(1, uid: "uid"))
        let identifier = NamedIdentifier(test.phone, claim: claim, isFresh: true, sealed: [1])
        func take(_ provenAt: Int64?) throws {
            let taken = TakenIdentifier(identifier, isVerified: nil, for: account, provenAt: provenAt, audit: nil)
            guard case .taken = try test.store.takeIdentifier(taken) else {
                Issue.record("not taken")
                return
            }
        }
        #expect(try test.store.proposeIdentifier(.phone, [1], claim, to: account) == .proposed)
        _ = try test.record(uid: "uid", 1, at: test.now, claim: claim, mayCreate: false)
        try take(provenAt)
        #expect(try test.store.account(account)?.numberProvenAt == test.now)
        try take(test.now + 1)
        #expect(try test.store.account(account)?.numberProvenAt == test.now + 1)
    }
}
