import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// A request for a push that the front end repeats because its worker died.
@Suite struct RepeatedPushTests {
    private static let networks = ClientNetworks(
        narrowest: NetworkIdentity(project: "demo", hash: "net"),
        wider: [ClientNetworks.Network(NetworkIdentity(project: "demo", hash: "wide"), .slash48)]
    )
    private static let device = DeviceIdentity(project: "demo", hash: "device", shard: Shard(index: 9))
    private static let limits: [RateLimit] =
        [.pushes(to: device, .hour(10))] + networks.all.map { .pushes(by: $0, .hour(10)) }

    private let test: TestStore

    init() throws { test = try TestStore() }

    /// Returns the id of the receipt that one execution of the request creates.
    private static func id(_ fill: UInt8) throws -> PushReceiptID {
        try #require(PushReceiptID(shard: device.shard, bytes: [UInt8](repeating: fill, count: 16)))
    }

    @discardableResult
    private static func requestPush(_ fill: UInt8, on store: Store, at now: Int64) throws -> PushReceiptID {
        let push = RequestedPush(
            id: try id(fill),
            device: device,
            networks: networks,
            challengedNetwork: networks.narrowest,
            bundleID: "com.example.app",
            sealedToken: [1],
            environment: .production,
            limits: limits
        )
        let outcome = try TestStore.makePushReceipt(for: push, "repeated", at: now, with: store)
        guard case .queued(let receipt) = outcome else { throw ServerFailure(description: "\(outcome)") }
        return receipt
    }

    private func expectOnePush(sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(test.redis.cli("XLEN", "dt:{demo}:push-outbox") == "1", sourceLocation: sourceLocation)
        for limit in Self.limits {
            #expect(try test.store.usage(of: limit, now: test.now).events == 1, sourceLocation: sourceLocation)
        }
        for network in Self.networks.all {
            let key = KeyNames.unprovenPushes(network.identity, bundleID: "com.example.app")
            #expect(test.redis.cli("ZCARD", key) == "1", sourceLocation: sourceLocation)
        }
    }

    @Test("a repeated request receives the first receipt, and its push counts once in every limit")
    func repeated() throws {
        let first = try Self.requestPush(1, on: test.store, at: test.now)
        #expect(try Self.requestPush(2, on: test.store, at: test.now) == first)
        try expectOnePush()
    }

    @Test("of two concurrent executions, one queues a push, which counts once in every limit, and both get its receipt")
    func concurrent() throws {
        // Loads the scripts: an unknown script would be counted without running.
        try Self.requestPush(3, on: test.store, at: test.now)
        test.redis.cli("FLUSHALL")
        let proxy = try RedisProxy(to: test.redis)
        let slow = TestStore.store(TestStore.configuration(test.redis, over: proxy.socketPath))
        let (redis, now) = (test.redis, test.now)
        proxy.overtake(beforeScript: 1) {
            _ = try? Self.requestPush(1, on: TestStore(on: redis).store, at: now)
        }
        #expect(try Self.requestPush(2, on: slow, at: now) == Self.id(1))
        #expect(proxy.hasInterrupted())
        try expectOnePush()
    }
}
