import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// The removal of dispatchers that look dead because they were idle.
@Suite struct IdleDispatcherTests {
    private let test: TestStore
    private let proxy: RedisProxy
    private let outbox = "dt:{demo}:outbox"

    init() throws {
        test = try TestStore()
        proxy = try RedisProxy(to: test.redis)
        try test.store.prepare(.messages)
    }

    private func takeOne(for dispatcher: String) throws -> OutboxItem {
        test.redis.cli("XADD", outbox, "*", "a", "b")
        let items = try test.store.take(from: .messages, for: dispatcher, atMost: 1, waitMilliseconds: 10)
        return try #require(items.first)
    }

    private func isKnown(_ dispatcher: String) -> Bool {
        test.redis.cli("XINFO", "CONSUMERS", outbox, "dispatchers").contains(dispatcher)
    }

    private func pending(at dispatcher: String) -> String {
        test.redis.cli("XPENDING", outbox, "dispatchers", "-", "+", "9", dispatcher)
    }

    @Test("an idle dispatcher without pending items is removed, and receives items again if it is alive")
    func alive() throws {
        try test.store.discard(takeOne(for: "idle"))
        try test.store.prepare(.messages)
        #expect(isKnown("idle"), "it was active within the hour")
        try test.store.prepare(.messages, removingIdleFor: 0)
        #expect(!isKnown("idle"))
        let item = try takeOne(for: "idle")
        #expect(pending(at: "idle").contains(item.entryID))
        try test.store.prepare(.messages, removingIdleFor: 0)
        #expect(pending(at: "idle").contains(item.entryID))
    }

    @Test("an idle dispatcher that receives an item before it is removed keeps the item")
    func receivesItem() throws {
        try test.store.discard(takeOne(for: "idle"))
        let preparing = TestStore.store(TestStore.configuration(test.redis, over: proxy.socketPath))
        let (redis, outbox) = (test.redis, outbox)
        // Three commands compare the deployment, create the group and read the group's dispatchers.
        proxy.interrupt(afterCommands: 3, .goOn) {
            redis.cli("XADD", outbox, "*", "a", "b")
            redis.cli("XREADGROUP", "GROUP", "dispatchers", "idle", "STREAMS", outbox, ">")
        }
        try preparing.prepare(.messages, removingIdleFor: 0)
        #expect(proxy.hasInterrupted())
        #expect(pending(at: "idle").contains("idle"))
    }
}
