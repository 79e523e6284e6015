import Redis
import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// Work across slots that ends between two steps, as if the worker or the dispatcher had died.
@Suite struct InterruptedStepTests {
    private let test: TestStore
    private let proxy: RedisProxy
    private let networks = ClientNetworks(
        narrowest: NetworkIdentity(project: "demo", hash: "net"),
        wider: [ClientNetworks.Network(NetworkIdentity(project: "demo", hash: "wide"), .slash48)]
    )
    private let device = DeviceIdentity(project: "demo", hash: "device", shard: Shard(index: 9))

    init() throws {
        test = try TestStore()
        proxy = try RedisProxy(to: test.redis)
    }

    /// Returns a store that sends nothing twice. A script unknown to the server would be counted without running, so
    /// each test calls its scripts once before it interrupts them.
    private func interruptedStore() -> Store {
        TestStore.store(TestStore.configuration(test.redis, over: proxy.socketPath))
    }

    @Test("a challenge whose count is interrupted counts for the networks that were reached", arguments: 0...2)
    func challenge(scripts: Int) throws {
        let store = interruptedStore()
        #expect(try store.countChallenge(of: networks, windowMilliseconds: 60_000).count == 0)
        proxy.interrupt(afterScripts: scripts)
        #expect(throws: StoreUnavailable.self) { try store.countChallenge(of: networks, windowMilliseconds: 60_000) }
        #expect(proxy.hasInterrupted())
        #expect(try store.countChallenge(of: networks, windowMilliseconds: 60_000).count == (scripts > 0 ? 2 : 1))
    }

    private func queuePush() throws -> PushReceiptID {
        let receipt = try #require(PushReceiptID(shard: device.shard, bytes: [UInt8](repeating: 1, count: 16)))
        let push = RequestedPush(
            id: receipt,
            device: device,
            networks: networks,
            challengedNetwork: networks.narrowest,
            bundleID: "com.example.app",
            sealedToken: [1],
            environment: .production,
            limits: [.pushes(to: device, .hour(10))]
        )
        let outcome = try TestStore.makePushReceipt(for: push, "a", at: test.now, with: test.store)
        guard case .queued(receipt) = outcome else { throw ServerFailure(description: "\(outcome)") }
        return receipt
    }

    private func take(_ store: Store, _ dispatcher: String) throws -> [OutboxItem] {
        try store.take(from: .pushes, for: dispatcher, atMost: 10, waitMilliseconds: 1)
    }

    @Test("a push stays in the outbox until its result is stored at its device", arguments: 0...2)
    func pushResult(scripts: Int) throws {
        let receipt = try queuePush()
        let until = test.now + 3_600_000
        let store = interruptedStore()
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
        try finish(TestStore.store(elsewhere))
        proxy.interrupt(afterScripts: scripts)
        #expect(throws: StoreUnavailable.self) { try finish(store) }
        #expect(proxy.hasInterrupted())
        let outbox = "dt:{demo}:push-outbox"
        let unproven = networks.all.map { KeyNames.unprovenPushes($0.identity, bundleID: "com.example.app") }
        #expect(test.redis.cli("XLEN", outbox) == (scripts == 2 ? "0" : "1"))
        // Until its result is known, the push counts as one with a bad token, for a minute.
        for key in unproven { #expect(test.redis.cli("ZCARD", key) == "1") }
        try finish(store)
        #expect(test.redis.cli("XLEN", outbox) == "0")
        for key in unproven { #expect(test.redis.cli("ZSCORE", key, receipt.text) == String(until)) }
    }

    private static let projects = ["demo", "other", "third"]

    /// Returns a store of three projects.
    private func store(on path: String? = nil) -> Store {
        Store(TestStore.configuration(test.redis, over: path), shards: .standard, projects: Self.projects)
    }

    private func add(_ projects: [String]) {
        for project in projects { test.redis.cli("XADD", "dt:{\(project)}:push-outbox", "*", "receipt", "r") }
    }

    @Test("items taken before a dispatcher lost its connection go to another one", arguments: 0...1)
    func take(commands: Int) throws {
        add(["demo", "other"])
        let (store, direct) = (store(on: proxy.socketPath), store())
        try store.prepare(.pushes)
        _ = try? take(store, "warm-up")
        add(["third"])
        proxy.interrupt(afterCommands: commands, .close)
        #expect(throws: StoreUnavailable.self) { try take(store, "lost") }
        #expect(proxy.hasInterrupted())
        let rest = try take(direct, "other")
        let abandoned = try direct.takeAbandoned(
            from: .pushes,
            for: "other",
            atMost: 10,
            idleMilliseconds: 0
        )
        #expect(Set((rest + abandoned).map(\.project)) == Set(Self.projects))
    }

    @Test(
        "items whose reply was lost are given to their dispatcher again, without those that it holds",
        arguments: 0...1
    )
    func retake(commands: Int) throws {
        let store = store(on: proxy.socketPath)
        try store.prepare(.pushes)
        add(["demo", "other"])
        let held = try take(store, "one")
        #expect(Set(held.map(\.project)) == ["demo", "other"])
        #expect(try store.retake(from: .pushes, for: "one", except: []).isEmpty)
        add(["other", "third", "third"])
        proxy.interrupt(afterCommands: commands, .close)
        #expect(throws: StoreUnavailable.self) { try take(store, "one") }
        #expect(proxy.hasInterrupted())
        let retaken = try store.retake(from: .pushes, for: "one", except: held)
        #expect(retaken.count == (commands == 1 ? 3 : 0))
        #expect((retaken + (try take(store, "one"))).map(\.project).sorted() == ["other", "third", "third"])
        #expect(try store.retake(from: .pushes, for: "one", except: []).isEmpty)
    }

    @Test(
        "lost items are given again page by page, and each of them once, even if the dispatcher leaves them to others"
    )
    func manyLost() throws {
        let store = store()
        let lossy = self.store(on: proxy.socketPath)
        try store.prepare(.pushes)
        for _ in 0..<150 { add(["demo"]) }
        test.redis.cli("XREADGROUP", "GROUP", "dispatchers", "one", "STREAMS", "dt:{demo}:push-outbox", ">")
        proxy.interrupt(afterCommands: 0, .close)
        #expect(throws: StoreUnavailable.self) { try take(lossy, "one") }
        let pages = try (0..<4).map { _ in try lossy.retake(from: .pushes, for: "one", except: []) }
        #expect(pages.map(\.count) == [100, 50, 0, 0])
        #expect(Set(pages.joined().map(\.entryID)).count == 150)
    }

    @Test("an item that another dispatcher has taken over is not given to its former one again")
    func takenOver() throws {
        let store = store(on: proxy.socketPath)
        try store.prepare(.pushes)
        _ = try take(store, "warm-up")
        add(["demo", "other"])
        proxy.interrupt(afterCommands: 1, .close)
        #expect(throws: StoreUnavailable.self) { try take(store, "one") }
        let stream = "dt:{demo}:push-outbox"
        test.redis.cli("XCLAIM", stream, "dispatchers", "two", "0", firstID(of: stream))
        let retaken = try store.retake(from: .pushes, for: "one", except: [])
        #expect(retaken.map(\.project) == ["other"])
    }

    private func firstID(of stream: String) -> String {
        String(test.redis.cli("XRANGE", stream, "-", "+", "COUNT", "1").prefix { $0 != "\n" })
    }
}
