import Redis
import TestServers
import Testing

@testable import RedisStore

/// Work across slots that ends between two steps, as if the worker or the dispatcher had died.
@Suite struct InterruptedStepTests {
    private let test: TestStore
    private let proxy: RedisProxy
    private let networks = ClientNetworks(
        narrowest: NetworkIdentity(project: "demo", hash: "net", shard: Shard(index: 5)),
        wider: [
            ClientNetworks.Network(NetworkIdentity(project: "demo", hash: "wide", shard: Shard(index: 6)), .slash48)
        ]
    )
    private let device = DeviceIdentity(project: "demo", hash: "device", shard: Shard(index: 9))

    init() throws {
        test = try TestStore()
        proxy = try RedisProxy(to: test.redis)
    }

    /// Returns a store that sends nothing twice. A script unknown to the server would be counted without running, so
    /// each test calls its scripts once before it interrupts them.
    private func store() -> Store {
        Store(TestStore.configuration(test.redis, over: proxy.socketPath), shards: .standard)
    }

    private func usage(_ limits: [RateLimit], at now: Int64? = nil) throws -> [Int] {
        try limits.map { try test.store.usage(of: $0, now: now ?? test.now).events }
    }

    /// Returns limits in four slots. The deployment's limit counts in buckets.
    private func limits(ofDeployment maximum: Int = 1000) -> [RateLimit] {
        networks.all.map { .messages(by: $0, .hour(1000)) }
            + [.messages(provenBy: device, .hour(1000)), .messagesOfDeployment(.hour(maximum))]
    }

    @Test("an event whose reservation is interrupted and repeated counts in each limit", arguments: 0...4)
    func reservation(scripts: Int) throws {
        let (limits, store) = (limits(), store())
        #expect(try store.reserve(limits, eventID: "first", now: test.now).exceeded.isEmpty)
        proxy.interrupt(afterScripts: scripts)
        #expect(throws: StoreUnavailable.self) { try store.reserve(limits, eventID: "a", now: test.now) }
        #expect(proxy.hasInterrupted())
        let interrupted = try usage(limits)
        #expect(interrupted == (0..<4).map { scripts > $0 ? 2 : 1 })

        #expect(try store.reserve(limits, eventID: "a", now: test.now).exceeded.isEmpty)
        // Buckets do not store which events they have counted.
        #expect(try usage(limits) == [2, 2, 2, scripts == 4 ? 3 : 2])
        #expect(try usage(limits, at: test.now + 3_660_000) == [0, 0, 0, 0])
    }

    @Test("a refused event whose release is interrupted is counted until the windows end", arguments: 1...3)
    func release(scripts: Int) throws {
        let (limits, store) = (limits(ofDeployment: 1), store())
        #expect(try store.reserve(limits, eventID: "first", now: test.now).exceeded.isEmpty)
        #expect(try !store.reserve(limits, eventID: "second", now: test.now).exceeded.isEmpty)
        proxy.interrupt(afterScripts: 4 + scripts)
        let refused = try store.reserve(limits, eventID: "a", now: test.now)
        #expect(proxy.hasInterrupted())
        #expect(refused.exceeded.map(\.limit.scope) == [.deployment])
        let counted = try usage(limits)
        // The slots are released in no particular order.
        #expect(counted.prefix(3).allSatisfy { (1...2).contains($0) } && counted[3] == 1)
        #expect(counted.reduce(0, +) == 4 + 3 - scripts)
        #expect(try usage(limits, at: test.now + 3_660_000) == [0, 0, 0, 0])
    }

    @Test("a password attempt that is interrupted and repeated counts in each limit", arguments: 0...3)
    func passwordAttempt(scripts: Int) throws {
        let email = EmailIdentity(project: "demo", hash: "mailhash", shard: Shard(index: 23))
        let limits = WrongPasswordLimits(
            perEmailAndNetworkPerHour: 10,
            perEmailPerDay: 100,
            reservedForKnownNetworks: 30,
            perNetworkPerHour: 10
        ).limits(for: email, by: networks)
        func attempt(_ store: Store, _ event: String) throws -> RateLimitDecision {
            try store.decide(
                .spending(reserving: limits, eventID: event),
                from: networks.narrowest,
                of: email,
                now: test.now
            )
        }
        let store = store()
        _ = try attempt(store, "first")
        proxy.interrupt(afterScripts: scripts)
        #expect(throws: StoreUnavailable.self) { try attempt(store, "a") }
        #expect(proxy.hasInterrupted())
        #expect(try usage(limits).allSatisfy { (1...2).contains($0) })
        guard case .allowed = try attempt(store, "a") else {
            Issue.record("not allowed")
            return
        }
        #expect(try usage(limits).allSatisfy { $0 == 2 })
    }

    @Test("a challenge whose count is interrupted counts for the networks that were reached", arguments: 0...2)
    func challenge(scripts: Int) throws {
        let store = store()
        #expect(try store.countChallenge(of: networks, windowMilliseconds: 60_000).count == 0)
        proxy.interrupt(afterScripts: scripts)
        #expect(throws: StoreUnavailable.self) { try store.countChallenge(of: networks, windowMilliseconds: 60_000) }
        #expect(proxy.hasInterrupted())
        #expect(try store.countChallenge(of: networks, windowMilliseconds: 60_000).count == (scripts > 0 ? 2 : 1))
    }

    private func queuePush() throws -> PushReceiptID {
        let receipt = try #require(PushReceiptID(shard: device.shard, bytes: [UInt8](repeating: 1, count: 16)))
        let outcome = try test.store.makePushReceipt(
            id: receipt,
            device: device,
            networks: networks,
            challengedNetwork: networks.narrowest,
            bundleID: "com.example.app",
            sealedToken: [1],
            environment: .production,
            requestID: "a",
            now: test.now,
            pushMilliseconds: 60_000,
            unprovenMilliseconds: 60_000,
            limits: [.pushes(to: device, .hour(10))],
            unprovenBudget: 10
        )
        guard case .queued(receipt) = outcome else { throw ServerFailure(description: "\(outcome)") }
        return receipt
    }

    private func take(_ store: Store, _ dispatcher: String) throws -> [OutboxItem] {
        try store.take(from: .pushes, for: dispatcher, atMost: 10, waitMilliseconds: 1)
    }

    @Test("a push stays in the outbox until its result is stored for its networks and its device", arguments: 0...3)
    func pushResult(scripts: Int) throws {
        let receipt = try queuePush()
        let until = test.now + 3_600_000
        let store = store()
        try store.prepare(.pushes)
        let item = try #require(try take(store, "d").first)
        let push = try #require(QueuedPush(item))
        func finish(_ store: Store) throws {
            try store.finish(
                push,
                to: device,
                .bad(until: until),
                deviceMilliseconds: 60_000,
                unusedReceiptMilliseconds: 60_000,
                now: test.now
            )
        }
        var elsewhere = TestStore.configuration(test.redis)
        elsewhere.database = 1
        try finish(Store(elsewhere, shards: .standard))
        proxy.interrupt(afterScripts: scripts)
        #expect(throws: StoreUnavailable.self) { try finish(store) }
        #expect(proxy.hasInterrupted())
        let outbox = "dt:{r9}:outbox"
        let unproven = networks.all.map { KeyNames.unprovenPushes($0.identity, bundleID: "com.example.app") }
        #expect(test.redis.cli("XLEN", outbox) == (scripts == 3 ? "0" : "1"))
        // Until its result is known, the push counts as one with a bad token, for a minute.
        for key in unproven { #expect(test.redis.cli("ZCARD", key) == "1") }
        try finish(store)
        #expect(test.redis.cli("XLEN", outbox) == "0")
        for key in unproven { #expect(test.redis.cli("ZSCORE", key, receipt.text) == String(until)) }
    }

    @Test("items taken before a dispatcher lost its connection go to another one", arguments: [0, 10, 18, 64])
    func take(commands: Int) throws {
        _ = try queuePush()
        test.redis.cli("XADD", "dt:{r40}:outbox", "*", "receipt", "other")
        let store = store()
        try store.prepare(.pushes)
        _ = try? take(store, "warm-up")
        test.redis.cli("XADD", "dt:{r41}:outbox", "*", "receipt", "third")
        proxy.interrupt(afterCommands: commands, .close)
        #expect(throws: StoreUnavailable.self) { try take(store, "lost") }
        #expect(proxy.hasInterrupted())
        let rest = try take(test.store, "other")
        let abandoned = try test.store.takeAbandoned(
            from: .pushes,
            for: "other",
            atMost: 10,
            idleMilliseconds: 0
        )
        #expect(Set((rest + abandoned).map(\.shard.index)) == [9, 40, 41])
    }

    @Test(
        "items whose reply was lost are given to their dispatcher again, without those that it holds",
        arguments: [0, 10, 18, 64]
    )
    func retake(commands: Int) throws {
        let store = store()
        try store.prepare(.pushes)
        for shard in [9, 40] { test.redis.cli("XADD", "dt:{r\(shard)}:outbox", "*", "receipt", "held") }
        let held = try take(store, "one")
        #expect(Set(held.map(\.shard.index)) == [9, 40])
        #expect(try store.retake(from: .pushes, for: "one", except: []).isEmpty)
        for shard in [40, 41, 41] { test.redis.cli("XADD", "dt:{r\(shard)}:outbox", "*", "receipt", "lost") }
        proxy.interrupt(afterCommands: commands, .close)
        #expect(throws: StoreUnavailable.self) { try take(store, "one") }
        #expect(proxy.hasInterrupted())
        let retaken = try store.retake(from: .pushes, for: "one", except: held)
        if commands == 64 { #expect(retaken.count == 3) }
        #expect((retaken + (try take(store, "one"))).map(\.shard.index).sorted() == [40, 41, 41])
        #expect(try store.retake(from: .pushes, for: "one", except: []).isEmpty)
    }

    @Test(
        "lost items are given again page by page, and each of them once, even if the dispatcher leaves them to others"
    )
    func manyLost() throws {
        let store = store()
        try store.prepare(.pushes)
        for _ in 0..<150 { test.redis.cli("XADD", "dt:{r9}:outbox", "*", "receipt", "lost") }
        test.redis.cli("XREADGROUP", "GROUP", "dispatchers", "one", "STREAMS", "dt:{r9}:outbox", ">")
        proxy.interrupt(afterCommands: 0, .close)
        #expect(throws: StoreUnavailable.self) { try take(store, "one") }
        let pages = try (0..<4).map { _ in try store.retake(from: .pushes, for: "one", except: []) }
        #expect(pages.map(\.count) == [100, 50, 0, 0])
        #expect(Set(pages.joined().map(\.entryID)).count == 150)
    }

    @Test("an item that another dispatcher has taken over is not given to its former one again")
    func takenOver() throws {
        let store = store()
        try store.prepare(.pushes)
        _ = try take(store, "warm-up")
        for shard in [9, 40] { test.redis.cli("XADD", "dt:{r\(shard)}:outbox", "*", "receipt", "lost") }
        proxy.interrupt(afterCommands: 64, .close)
        #expect(throws: StoreUnavailable.self) { try take(store, "one") }
        test.redis.cli("XCLAIM", "dt:{r9}:outbox", "dispatchers", "two", "0", firstID(of: "dt:{r9}:outbox"))
        let retaken = try store.retake(from: .pushes, for: "one", except: [])
        #expect(retaken.map(\.shard.index) == [40])
    }

    private func firstID(of stream: String) -> String {
        String(test.redis.cli("XRANGE", stream, "-", "+", "COUNT", "1").prefix { $0 != "\n" })
    }
}
