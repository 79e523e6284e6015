import TestServers
import Testing

@testable import RedisStore

/// An upgrade: data that the previous version stored for a send, with a single script that had keys of several slots.
@Suite struct SendVerificationCodeUpgradeTests {
    private let test: TestStore
    private let limits: [RateLimit]

    init() throws {
        test = try TestStore()
        let network = NetworkIdentity(project: "demo", hash: "net", shard: Shard(index: 5))
        limits = [
            .messages(to: test.phone, .hour(2)),
            .messages(by: ClientNetworks(narrowest: network).all[0], .hour(2)),
            .messages(ofProject: "demo", .day(2)), .messagesOfDeployment(.hour(2)),
        ]
    }

    /// Stores the data of the previous version's script for a session and its message.
    private func openAsBefore(_ fill: UInt8, binding: String) throws {
        let (id, now, expires) = (try test.sessionID(fill), String(test.now), String(test.now + 600_000))
        test.redis.cli(
            [
                "HSET", KeyNames.session(id), "state", "open", "phone", "sealed", "project", "demo", "purpose",
                "sign-in", "locale", "en", "binding", binding, "attempts", "5", "code-source", "derived", "created",
                now, "expires", expires, "messages", "1", "counted", "1",
            ]
        )
        test.redis.cli("PEXPIRE", KeyNames.session(id), "600000")
        test.redis.cli("SET", KeyNames.formerOpen(test.phone, binding: binding), id.text, "PX", "600000")
        test.redis.cli("SET", KeyNames.lock(test.phone, binding: binding), id.text, "PX", "60000")
        test.redis.cli(
            [
                "XADD", KeyNames.outbox(.messages, test.phone.shard), "*", "session", id.text, "phone", "sealed",
                "project", "demo", "purpose", "sign-in", "locale", "en", "ending", "", "queued", now, "expires",
                expires, "price", "5", "counted", "1",
            ]
        )
        for limit in limits where limit.bucketMilliseconds == 0 {
            test.redis.cli("ZADD", limit.key, now, id.text)
            test.redis.cli("PEXPIRE", limit.key, String(limit.window.milliseconds))
        }
        for limit in limits where limit.bucketMilliseconds > 0 {
            let bucket = String(test.now / limit.bucketMilliseconds)
            test.redis.cli("HSET", limit.key, "newest", bucket, "older", "0")
            test.redis.cli("HINCRBY", limit.key, bucket, "1")
            test.redis.cli("PEXPIRE", limit.key, String(limit.window.milliseconds + 2 * limit.bucketMilliseconds))
        }
        for range in TestStore.ranges.all {
            let before = Int(test.redis.cli("GET", KeyNames.formerRange(range)).prefix { $0 != " " }) ?? 0
            test.redis.cli("SET", KeyNames.formerRange(range), "\(before + 10_000) 0 \(now)", "PX", "345600000")
        }
        test.redis.cli("HINCRBY", KeyNames.formerSpending(day: test.now / Store.dayMilliseconds), "US", "5")
    }

    private var messages: String { test.redis.cli("XLEN", KeyNames.outbox(.messages, test.phone.shard)) }

    @Test("a lock still prevents a second message, and after it the session is sent again")
    func lock() throws {
        try openAsBefore(1, binding: "client")
        guard case .reentered(let session, _) = try test.open(2, limits: limits, price: 5) else {
            Issue.record("not reentered")
            return
        }
        #expect(try session == test.sessionID(1) && messages == "1")
        test.redis.cli("DEL", KeyNames.lock(test.phone, binding: "client"))
        guard case .resent(session, _) = try test.open(3, limits: limits, price: 5) else {
            Issue.record("not resent")
            return
        }
        #expect(messages == "2")
        // This version's lock on the session of the previous version.
        guard case .reentered(session, _) = try test.open(4, limits: limits, price: 5) else {
            Issue.record("not reentered")
            return
        }
        test.endLock()
        guard case .resent(session, _) = try test.open(5) else {
            Issue.record("not resent")
            return
        }
        #expect(messages == "3")
    }

    @Test("a worker of the previous version finds the lock and the session, so it sends no second message")
    func rollingUpgrade() throws {
        try test.open(1)
        let id = try test.sessionID(1)
        #expect(test.redis.cli("GET", KeyNames.lock(test.phone, binding: "client")) == id.text)
        // The fields that scripts of the previous version require.
        let fields = ["state", "code-source", "expires", "phone", "attempts", "binding"]
        let values = test.redis.cli(["HMGET", KeyNames.session(id)] + fields).split(whereSeparator: \.isNewline)
        #expect(values.prefix(3) == ["open", "derived", "\(test.now + 600_000)"])
        #expect(values.suffix(2) == ["5", "client"])
    }

    @Test("a code of the session is verified, and if correct it pays the debt of its message")
    func session() throws {
        try openAsBefore(1, binding: "client")
        guard case .right(let claim?) = try test.answer(1, isRight: true, request: "a") else {
            Issue.record("not right")
            return
        }
        #expect(claim == test.claim(1))
        for range in TestStore.ranges.all {
            let bounds = TestStore.bounds
            #expect(try test.store.debt(of: range, bounds, now: test.now) == 0)
        }
    }

    @Test("each limit counts the messages of the previous version", arguments: 0..<4)
    func limit(number: Int) throws {
        try openAsBefore(1, binding: "one")
        try openAsBefore(2, binding: "two")
        for limit in limits { #expect(try test.store.usage(of: limit, now: test.now).events == 2) }
        let outcome = try test.open(3, binding: "three", limits: [limits[number]])
        guard case .limited(let exceeded) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(exceeded.limit == limits[number] && exceeded.events == 2 && messages == "2")
    }

    @Test("spending, debts and queued messages of the previous version are read")
    func counts() throws {
        try openAsBefore(1, binding: "client")
        #expect(try test.store.spending(now: test.now) == ["US": 5])
        let queued = try test.store.queuedMessages()
        #expect(queued.map(\.reserved) == [5] && queued.map(\.isCounted) == [true])
        guard case .steppedUp(let stepUp) = try test.open(2, binding: "other", price: 5, cap: 9) else {
            Issue.record("not stepped up")
            return
        }
        #expect(stepUp.cause == .spending(spent: 5, cap: 9))
    }

    @Test("a decision of a previous version can be explained", arguments: [true, false])
    func decision(isRequestPacked: Bool) throws {
        let reference = DecisionReference(requestID: "r")
        let shard = test.store.shards.shard(of: reference.number)
        let request = ["sendVerificationCode", "demo", "+•••", "US", "none"]
        let fields =
            isRequestPacked
            ? ["request", ([reference.digits] + request).joined(separator: "\n")]
            : ["reference", reference.digits]
                + zip(["operation", "project", "number", "region", "proof"], request).flatMap { [$0, $1] }
        test.redis.cli(
            [
                "XADD", isRequestPacked ? KeyNames.sendDecisions(shard) : KeyNames.decisions(shard), "*", "at",
                String(test.now), "outcome", "opened", "limits", "number:1:5:3600000", "breaker", "normal block 0 4 0",
                "message", "\(shard.index)-1-0",
            ] + fields
        )
        let decision = try #require(try test.store.decision(reference, now: test.now))
        #expect(decision.outcome == "opened" && decision.limits.map(\.sends) == [1])
        #expect(decision.project == "demo" && decision.region == "US" && decision.proof == "none")
        #expect(decision.message?.entryID == "1-0")
    }
}
