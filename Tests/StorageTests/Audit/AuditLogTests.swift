import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// Writing the audit log in scripts, and reading it.
@Suite struct AuditLogTests {
    let test: TestStore

    init() throws {
        test = try TestStore()
    }

    private func events(of account: AccountIdentity? = nil, since time: Int64 = 0) throws -> [AuditEvent] {
        var log = test.store.auditLog(of: account, since: time, latestFirst: false)
        var events: [AuditEvent] = []
        while let event = try log.next() { events.append(event) }
        return events
    }

    private func kinds() throws -> [String] { try events().map { [$0.kind, $0.detail ?? ""].joined(separator: " ") } }

    @Test("a change and its event are atomic, and a change without effect has no event")
    func changes() throws {
        let signIn = try test.signIn(1)
        let account = signIn.account
        #expect(try kinds() == ["sign-up phone"])
        _ = try test.record(uid: account.uid, 3, at: test.now, claim: test.claim(1))
        _ = try test.record(uid: account.uid, 2, at: test.now, claim: test.claim(2), mayCreate: false)
        func update(_ update: AccountUpdate) throws {
            _ = try test.store.updateAccount(account, update, audit: test.audit())
        }
        try update(AccountUpdate(fields: [.displayName: "Ada", .photoURL: nil], sealedPassword: [1]))
        try update(AccountUpdate(fields: [.passwordUpdatedAt: "1", .validSince: "5"], sealedPassword: [1]))
        for disabled in ["1", "1", nil, nil] as [String?] { try update(AccountUpdate(fields: [.isDisabled: disabled])) }
        for _ in 0..<2 { try update(AccountUpdate(fields: [.password: nil, .passwordUpdatedAt: nil])) }
        for _ in 0..<2 { try update(AccountUpdate(removesNumber: true, removesEmail: true)) }
        for request in ["a", "a", "b"] {
            _ = try test.store.deleteAccount(account, requestID: request, markMilliseconds: 60_000, audit: test.audit())
        }
        try update(AccountUpdate(fields: [.passwordUpdatedAt: "1"]))
        #expect(
            try kinds().sorted() == [
                "account-deleted ", "account-disabled ", "account-enabled ", "password-change removed",
                "password-change set", "sign-in phone", "sign-up phone", "tokens-revoked ", "unlink phone",
            ]
        )
    }

    @Test(
        "links, number changes and the sign-ins that complete them are distinguished and name the numbers"
    )
    func links() throws {
        _ = try test.record(uid: "uid", 100, at: test.now)
        let other = PhoneIdentity(project: "demo", hash: "other")
        var known = AuditedIdentifiers()
        known.add(test.phone, claimID: test.claim(1).id)
        for (fill, mayCreate) in [(1, false), (2, false), (3, true)] as [(UInt8, Bool)] {
            let claim = test.claim(fill, uid: "uid")
            #expect(try test.store.proposeIdentifier(.phone, [fill], claim, to: test.identity("uid")) == .proposed)
            let number = fill == 2 ? other : test.phone
            _ = try test.record(
                uid: "uid",
                fill,
                at: test.now,
                claim: claim,
                mayCreate: mayCreate,
                number: number,
                audited: known
            )
        }
        let told = try events().map { "\($0.kind) \($0.identifiers.joined(separator: " "))" }
        #expect(
            told == [
                "sign-up ", "link phone:phonehash", "number-change phone:other phone:phonehash",
                "number-change phone:phonehash", "sign-in phone:phonehash",
            ]
        )
        #expect(try events()[1].names(test.phone) && !events()[1].names(other))
    }

    @Test("an operator's changes are logged completely, and a number set by an operator counts as proven")
    func operators() throws {
        let account = test.identity("uid")
        let audit = test.audit(.administrator("token"))
        func update(_ update: AccountUpdate) throws { _ = try test.store.updateAccount(account, update, audit: audit) }
        for request in ["a", "a", "b"] {
            _ = try test.store.createAccount(
                AccountCreation(
                    account: account,
                    requestID: request,
                    now: test.now,
                    changes: AccountUpdate(fields: [.displayName: "Ada"]),
                    audit: audit
                )
            )
        }
        for fill in [1, 2] as [UInt8] {
            let claim = test.claim(fill, uid: "uid")
            #expect(try test.store.proposeIdentifier(.phone, [fill], claim, to: account) == .proposed)
            let number = NamedIdentifier(test.phone, claim: claim, isFresh: true, sealed: [fill])
            for _ in 0..<2 {
                _ = try test.store.takeIdentifier(
                    TakenIdentifier(
                        number,
                        isVerified: nil,
                        for: account,
                        provenAt: test.now + 7,
                        audit: audit
                    )
                )
            }
        }
        let key = try #require(test.keyNames(matching: "*:user:*").first)
        #expect(test.redis.cli("HGET", key, "phone-proven") == "\(test.now + 7)")
        try update(AccountUpdate(fields: [.customAttributes: "{}", .isEmailVerified: nil, .isDisabled: "1"]))
        try update(AccountUpdate(fields: [.customAttributes: nil, .isDisabled: nil]))
        #expect(
            try kinds() == [
                "account-created ", "link phone", "number-change ", "account-disabled ",
                "admin-change custom-attributes", "account-enabled ", "admin-change custom-attributes",
            ]
        )
        #expect(try Set(events().map(\.actor)) == ["administrator token"])
    }

    @Test("the reuse of a refresh token is logged once")
    func reuse() throws {
        let token = try test.signIn(1).token
        var policy = Policy()
        policy.rotatesRefreshTokens = true
        policy.refreshTokenGrace = .seconds(1)
        func exchange(_ generation: UInt32, after milliseconds: Int64) throws {
            let now = test.now + milliseconds
            _ = try test.exchange(token, generation: generation, at: now, under: policy, audit: test.audit())
        }
        try exchange(0, after: 0)
        for milliseconds in [5000, 6000] as [Int64] { try exchange(0, after: milliseconds) }
        #expect(try kinds() == ["sign-up phone", "token-reused phone"])
        #expect(try events().map(\.actor) == ["user", "server"])
    }

    @Test("an event contains actor, origin and request")
    func fields() throws {
        _ = try test.signIn(1)
        let event = try #require(try events().first)
        #expect(event.at == test.now && event.project == "demo" && event.uid == "uid-1" && event.networkHash == "net")
        #expect(event.kind == "sign-up" && event.actor == "user" && event.detail == "phone")
        #expect(event.reference == DecisionReference(requestID: "r") && event.identifiers == ["phone:phonehash"])
    }

    @Test("events whose uid or actor contains line breaks can be read")
    func lineBreaks() throws {
        _ = try test.record(uid: "a\r\nb\n", 1, at: test.now, audit: test.audit(.serviceAccount("a\nb")))
        let event = try #require(try events().first)
        #expect(event.at == test.now && event.project == "demo" && event.uid == "a\r\nb\n")
        #expect(event.actor == "service-account a b")
        #expect(event.detail == "phone" && event.networkHash == "net")
        #expect(event.reference == DecisionReference(requestID: "r"))
    }

    @Test("each actor has a distinct text")
    func actors() {
        let actors: [AuditActor] = [
            .user, .serviceAccount("a"), .administrator("a"), .commandLine("ada@host"), .server,
        ]
        #expect(Set(actors.map(\.text)).count == actors.count)
    }

    @Test("events of all shards are returned in chronological order")
    func order() throws {
        for index in 0..<450 {
            _ = try test.record(uid: "uid-\(index % 7)", UInt8(index % 250), at: test.now + Int64(index))
        }
        let times = try events().map { $0.at - test.now }
        #expect(times.count == 450 && Set(times).count == 450)
        // Entries of two streams that Redis added in the same millisecond are in no particular order.
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 + 50 })
        let ofOne = try events(of: test.identity("uid-3"))
        #expect(ofOne.filter { $0.uid == "uid-3" }.count == 64)
        #expect(Set(ofOne.map(\.uid)).count < 7)
    }

    @Test("a waiting reader receives new events")
    func waiting() throws {
        var log = test.store.auditLog(of: nil, since: 0, latestFirst: false)
        for fill in 1...3 as ClosedRange<UInt8> {
            #expect(try log.next() == nil)
            _ = try test.record(uid: "uid-\(fill)", fill, at: test.now)
            try log.wait(milliseconds: 5000)
            #expect(try log.next()?.uid == "uid-\(fill)")
        }
        try log.wait(milliseconds: 1)
        #expect(try log.next() == nil)
    }

    /// Returns fifty uids of one shard: with at most ten sign-ins each, no account uses up its own allowance.
    private func accountsOfOneShard() -> [String] {
        let shard = test.identity("uid-0").shard
        var uids: [String] = []
        var index = 0
        while uids.count < 50 {
            let uid = "uid-\(index)"
            if test.identity(uid).shard == shard { uids.append(uid) }
            index += 1
        }
        return uids
    }

    @Test("events older than the retention time are removed with a later event, or with their stream")
    func retention() throws {
        let day: Int64 = 86_400_000
        let uids = accountsOfOneShard()
        for index in 0..<250 { _ = try test.record(uid: uids[index % 50], UInt8(index), at: test.now) }
        let key = try #require(test.keyNames(matching: "*:audit").first)
        #expect(test.redis.cli("XLEN", key) == "250")
        let timeToLive = try #require(Int64(test.redis.cli("PTTL", key)))
        #expect((89 * day...90 * day).contains(timeToLive))
        // Only one event in ten removes old events, depending on the last digit of its time.
        let later = test.now / 10 * 10 + 91 * day
        _ = try test.record(uid: uids[0], 251, at: later + 1, audit: test.audit(at: later + 1))
        #expect(test.redis.cli("XLEN", key) == "251")
        _ = try test.record(uid: uids[0], 252, at: later, audit: test.audit(at: later))
        // Redis removes whole nodes of a hundred entries.
        #expect(try #require(Int(test.redis.cli("XLEN", key))) <= 101)
    }

    @Test("no shard keeps many more events than its share")
    func bound() throws {
        let uids = accountsOfOneShard()
        for index in 0..<400 {
            let (uid, now) = (uids[index % 50], test.now + Int64(index))
            _ = try test.record(uid: uid, UInt8(index % 250), at: now, audit: test.audit(at: now, events: 64 * 100))
        }
        let key = try #require(test.keyNames(matching: "*:audit").first)
        #expect((100...200).contains(try #require(Int(test.redis.cli("XLEN", key)))))
        #expect(try events().count <= 200)
    }

    /// The number of events of the only account's shard that are in the main stream.
    private func mainLength() throws -> Int {
        let key = try #require(test.keyNames(matching: "*:audit").first)
        return try #require(Int(test.redis.cli("XLEN", key)))
    }

    @Test("the sign-ins of an account imported with a creation time of fewer digits have an allowance, too")
    func earlyCreation() throws {
        let creation = AccountCreation(
            account: test.identity("uid"),
            requestID: "r",
            now: test.now,
            changes: AccountUpdate(fields: [.createdAt: String(test.now / 10)]),
            audit: test.audit(.commandLine(""))
        )
        _ = try test.store.createAccount(creation)
        for fill in 0..<60 as Range<UInt8> { _ = try test.record(uid: "uid", fill, at: test.now) }
        #expect(try mainLength() == 1 + 50)
    }

    @Test("each kind of event has its own allowance, which is smaller on an account's first day and recovers")
    func allowances() throws {
        let day: Int64 = 86_400_000
        let account = test.identity("uid")
        func change(_ count: Int, at now: Int64, _ changes: AccountUpdate) throws {
            for _ in 0..<count { _ = try test.store.updateAccount(account, changes, audit: test.audit(at: now)) }
        }
        let revocation = AccountUpdate(fields: [.validSince: "5"])
        let password = AccountUpdate(fields: [.passwordUpdatedAt: "1"])
        for fill in 0..<20 as Range<UInt8> { _ = try test.record(uid: "uid", fill, at: test.now) }
        #expect(try mainLength() == 10)
        try change(20, at: test.now, revocation)
        #expect(try mainLength() == 13)
        try change(20, at: test.now, password)
        #expect(try mainLength() == 16)
        try change(20, at: test.now + 30 * day, revocation)
        #expect(try mainLength() == 26)
        for fill in 20..<90 as Range<UInt8> {
            _ = try test.record(uid: "uid", fill, at: test.now + 30 * day, audit: test.audit(at: test.now + 30 * day))
        }
        #expect(try mainLength() == 76)
        _ = try test.store.deleteAccount(account, requestID: "r", markMilliseconds: 1000, audit: test.audit())
        #expect(try mainLength() == 77)
    }

    @Test("without an audit log, no key of it exists")
    func off() throws {
        _ = try test.record(uid: "uid", 1, at: test.now, audit: .some(nil))
        _ = try test.store.deleteAccount(test.identity("uid"), requestID: "r", markMilliseconds: 1000, audit: nil)
        #expect(test.keyNames(matching: "*:audit") == [])
    }
}
