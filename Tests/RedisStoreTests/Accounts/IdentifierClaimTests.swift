import TestServers
import Testing

@testable import RedisStore

/// The individual steps in which accounts get numbers.
@Suite struct IdentifierClaimTests {
    let test: TestStore

    init() throws {
        test = try TestStore()
    }

    private func isHeld(_ claim: IdentifierClaim, isFresh: Bool = true) throws -> Bool {
        try test.store.holdsClaim(claim, of: .phone, isFresh: isFresh, in: "demo", markMilliseconds: 60_000, audit: nil)
    }

    /// Creates an account without a number.
    private func makeAccount(_ uid: String) throws {
        guard case .signedIn = try test.record(uid: uid, 100, at: test.now).outcome else {
            throw ServerFailure(description: "no account")
        }
    }

    private func describe(_ outcome: SignInRecord.Outcome) -> String {
        switch outcome {
        case .signedIn(_, let isNew, let former):
            (isNew ? "new" : "known") + former.map { " instead of \($0.claim.id)" }.joined()
        case .changed: "changed"
        case .hindered(.notHeld): "not held"
        case .hindered(.noAccount): "no account"
        case .hindered(let obstacle): "\(obstacle)"
        }
    }

    @Test(
        "a claim contains its account and time, whatever the uid",
        arguments: ["uid", "a b", " ", "1-x 2", "é:", ""]
    )
    func text(uid: String) throws {
        let claim = test.claim(1, uid: uid)
        #expect(try IdentifierClaim(text: claim.text) == claim)
        #expect(claim.seconds == test.now / 1000)
        #expect(try IdentifierClaim.current("") == nil)
        #expect(throws: StoreUnavailable.self) { try IdentifierClaim(text: "uid") }
    }

    @Test("claims of the previous version contain a time, too", arguments: ["tI3PsQ4J", "-------1", "1234-678"])
    func formerText(random: String) throws {
        let claim = try IdentifierClaim(text: "1795369633-\(random) uid")
        #expect(claim.uid == "uid" && claim.seconds == 1_795_369_633)
        #expect(claim.text == "1795369633-\(random) uid")
    }

    @Test("Redis stores the claim of a generated uid in one allocation with the value's header")
    func allocation() throws {
        let uid = String(repeating: "u", count: 28)
        let claim = IdentifierClaim(uid: uid, seconds: test.now / 1000, randomBytes: [255, 255, 255, 255, 255, 255])
        _ = try test.store.claimIdentifier(test.phone, claim, replacing: nil)
        #expect(test.redis.cli("OBJECT", "ENCODING", KeyNames.identifier(test.phone)) == "embstr")
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

    @Test("an account takes the number that it noted, and only with the noted claim")
    func taking() throws {
        try makeAccount("uid")
        let (first, second) = (test.claim(1, uid: "uid"), test.claim(2, uid: "uid"))
        func take(_ claim: IdentifierClaim, isFresh: Bool = true) throws -> String {
            describe(
                try test.record(uid: "uid", 1, at: test.now, claim: claim, isFresh: isFresh, mayCreate: false).outcome
            )
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
            let outcome = try test.store.exchangeRefreshToken(
                session: signIn.token,
                now: test.now,
                idleMilliseconds: 86_400_000,
                audit: nil
            )
            guard case .refreshed = outcome else { return false }
            return true
        }
        let email = EmailIdentity(project: "demo", hash: "emailhash", shard: test.phone.shard)
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
            let identifier = SignInRecord.Identifier(email, claim: claim, isFresh: true, sealed: [1])
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
        let identifier = SignInRecord.Identifier(test.phone, claim: claim, isFresh: true, sealed: [1])
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

    @Test("a number creates an account only while its claim is fresh")
    func freshness() throws {
        let claim = test.claim(1, uid: "uid")
        let late = try test.record(uid: "uid", 1, at: test.now, claim: claim, isFresh: false)
        #expect(describe(late.outcome) == "no account")
        let other = test.claim(2, uid: "other")
        #expect(describe(try test.record(uid: "other", 2, at: test.now, claim: other).outcome) == "new")
    }

    @Test(
        "a deletion returns the numbers to release, including noted ones, and a repeated request succeeds"
    )
    func deletion() throws {
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

    @Test("a change never creates an account, and it releases a number with all its data")
    func update() throws {
        guard
            case .noAccount = try test.store.updateAccount(
                test.identity("uid"),
                AccountUpdate(fields: [.displayName: "x"]),
                audit: nil
            )
        else {
            Issue.record("it was made")
            return
        }
        #expect(test.keyNames(matching: "*:user:*") == [])
        let claim = test.claim(1, uid: "uid")
        _ = try test.record(uid: "uid", 1, at: test.now, claim: claim)
        let update = AccountUpdate(fields: [.displayName: "Ada", .photoURL: nil], removesNumber: true)
        guard
            case .updated(let record, let former) = try test.store.updateAccount(
                test.identity("uid"),
                update,
                audit: nil
            )
        else {
            Issue.record("no account")
            return
        }
        #expect(record.displayName == "Ada" && record.sealedNumber == nil)
        #expect(former.map(\.claim) == [claim] && former.first?.sealed == [1, 2, 3])
        #expect(try !isHeld(claim))
    }

    @Test("a proof is accepted from one request, however often that request is repeated")
    func proofs() throws {
        let id = try #require(TemporaryProofID(shard: test.phone.shard, bytes: [UInt8](repeating: 7, count: 16)))
        func use(_ request: String, _ proposed: IdentifierClaim? = nil) throws -> String {
            let outcome = try test.store.useTemporaryProof(
                id,
                of: test.phone,
                requestID: request,
                markMilliseconds: 60_000,
                proposed: proposed
            )
            guard case .good(let claim) = outcome else { return "used" }
            return claim?.uid ?? "nobody"
        }
        #expect(try use("a") == "nobody")
        #expect(try use("b", test.claim(1, uid: "uid")) == "used")
        #expect(try test.store.claim(of: test.phone) == nil)
        for _ in 0..<2 { #expect(try use("a", test.claim(1, uid: "uid")) == "uid") }
    }
}
