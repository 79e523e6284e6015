import TestServers
import Testing

@testable import RedisStore

/// Limits on attempts, and reservations in the limits on accounts.
@Suite struct ReserveInLimitsTests {
    private let test: TestStore
    private let attempts: RateLimit
    private let network: RateLimit
    private let project: RateLimit

    init() throws {
        test = try TestStore()
        let narrowest = ClientNetworks(
            narrowest: NetworkIdentity(project: "demo", hash: "net", shard: Shard(index: 5))
        ).all[0]
        attempts = .signUps(by: narrowest, .hour(5))
        network = .newAccounts(by: narrowest, .day(4))
        project = .signUps(ofProject: "demo", .day(3))
    }

    private func admit(_ request: String, at now: Int64? = nil) throws -> RateLimitDecision {
        try test.store.decide(
            .spending([attempts], reserving: [network, project], eventID: request),
            now: now ?? test.now
        )
    }

    private func reservation(_ request: String, at now: Int64? = nil) throws -> RateLimitRefund {
        guard case .allowed(let reservation?) = try admit(request, at: now) else {
            throw ServerFailure(description: "\(request) has no reservation")
        }
        return reservation
    }

    private func usage(at now: Int64? = nil) throws -> [Int] {
        try [attempts, network, project].map { try test.store.usage(of: $0, now: now ?? test.now).events }
    }

    @Test("releasing a reservation of accounts does not release the attempt")
    func release() throws {
        let first = try reservation("first")
        let second = try reservation("second")
        #expect(try usage() == [2, 2, 2])
        try test.store.refund(first)
        #expect(try usage() == [2, 1, 1])
        try test.store.refund(second)
        #expect(try usage() == [2, 0, 0])
        for request in ["third", "fourth", "fifth"] { _ = try reservation(request) }
        #expect(try usage() == [5, 3, 3])
        guard case .exceeded(let exceeded) = try admit("sixth"), exceeded.events == 5 else {
            Issue.record("not limited")
            return
        }
        #expect(exceeded.limit == attempts)
    }

    @Test("a request repeated by nginx counts once in each limit that stores events, and may count again in buckets")
    func repetition() throws {
        let first = try reservation("first")
        let second = try reservation("first")
        #expect(try usage() == [1, 1, 2])
        // The second call found the event already counted in the network's limit, so it does not release it there.
        try test.store.refund(second)
        #expect(try usage() == [1, 1, 1])
        // The worker of the first call released its events and died before it responded.
        try test.store.refund(first)
        let again = try reservation("first")
        #expect(try usage() == [1, 1, 1])
        try test.store.refund(again)
        #expect(try usage() == [1, 0, 0])
    }

    @Test("work refused by one limit counts in none, even if limits in other slots have room", arguments: 0..<3)
    func refusal(number: Int) throws {
        let narrowest = ClientNetworks(
            narrowest: NetworkIdentity(project: "demo", hash: "net", shard: Shard(index: 5))
        ).all[0]
        func maximum(_ index: Int) -> Int { index == number ? 2 : 1000 }
        let device = DeviceIdentity(project: "demo", hash: "device", shard: Shard(index: 9))
        let limits: [RateLimit] = [
            .messages(by: narrowest, .hour(maximum(0))), .messages(provenBy: device, .hour(maximum(1))),
            .messagesOfDeployment(.hour(maximum(2))),
        ]
        for event in ["a", "b"] {
            let reserved = try test.store.reserve(limits, eventID: event, now: test.now)
            #expect(reserved.exceeded.isEmpty && reserved.events == [Int](repeating: event == "a" ? 1 : 2, count: 3))
        }
        let before = test.contents().filter { !$0.key.contains(":executed:") }
        let refused = try test.store.reserve(limits, eventID: "c", now: test.now)
        #expect(refused.exceeded.map(\.limit) == [limits[number]] && refused.exceeded[0].events == 2)
        #expect(test.contents().filter { !$0.key.contains(":executed:") } == before)
    }

    @Test("of several exceeded limits, the first one is returned and all are known")
    func severalExceeded() throws {
        let narrowest = ClientNetworks(
            narrowest: NetworkIdentity(project: "demo", hash: "net", shard: Shard(index: 5))
        ).all[0]
        let limits: [RateLimit] = [
            .messagesOfDeployment(.hour(1)), .messages(by: narrowest, .hour(1)), .messagesOfDeployment(.day(1)),
        ]
        #expect(try test.store.reserve(limits, eventID: "a", now: test.now).exceeded.isEmpty)
        let refused = try test.store.reserve(limits, eventID: "b", now: test.now)
        #expect(refused.exceeded.map(\.limit) == limits && refused.refund.isEmpty)
        guard case .exceeded(let first) = try test.store.decide(.spending(limits, eventID: "b"), now: test.now) else {
            Issue.record("not limited")
            return
        }
        #expect(first == refused.exceeded[0])
    }

    @Test("an event that counts once per occasion counts again only after the occasion's window")
    func oncePerOccasion() throws {
        let user = AccountIdentity(project: "demo", uid: "ada", among: .standard)
        let day = RateLimit.Window.day(RateLimit.unlimited)
        let (occasion, limit) = (RateLimit.customTokenSignUps(of: user, day), project)
        func count(_ event: String, at now: Int64) throws -> RateLimitDecision {
            try test.store.decide([limit], oncePer: occasion, eventID: event, now: now)
        }
        for _ in 0..<3 { #expect(try count("ada", at: test.now) == .allowed(refund: nil)) }
        #expect(try test.store.usage(of: limit, now: test.now).events == 1)
        let later = test.now + day.milliseconds + limit.bucketMilliseconds
        for _ in 0..<2 {
            // Calls are remembered for a minute by Redis's clock.
            for call in test.keyNames(matching: "*:executed:*") { _ = test.redis.cli("DEL", call) }
            #expect(try count("ada", at: later) == .allowed(refund: nil))
            #expect(try test.store.usage(of: limit, now: later).events == 1)
        }
    }

    @Test("racing events count once per occasion")
    func racingOccasions() throws {
        let user = AccountIdentity(project: "demo", uid: "ada", among: .standard)
        let occasion = RateLimit.customTokenSignUps(of: user, .day(RateLimit.unlimited))
        let (redis, now, limit) = (test.redis, test.now, RateLimit.customTokenSignUps(ofProject: "demo", .day(1)))
        let decisions = try inParallel(8) { _ in
            let store = Store(TestStore.configuration(redis), shards: .standard)
            return try store.decide([limit], oncePer: occasion, eventID: "ada", now: now)
        }
        #expect(decisions.allSatisfy { $0 == .allowed(refund: nil) })
        #expect(try test.store.usage(of: limit, now: now).events == 1)
    }

    @Test("a project's window stays correct after reservations in several buckets are released")
    func buckets() throws {
        let bucket = project.bucketMilliseconds
        let early = try reservation("early")
        let late = try reservation("late", at: test.now + 2 * bucket)
        // A worker whose clock is slow counts in the newest bucket.
        let behind = try reservation("behind", at: test.now + bucket)
        #expect(try usage(at: test.now + 2 * bucket)[2] == 3)
        try test.store.refund(early)
        #expect(try usage(at: test.now + 2 * bucket)[2] == 2)
        _ = try reservation("other", at: test.now + 2 * bucket)
        guard case .exceeded(let exceeded) = try admit("full", at: test.now + 2 * bucket), exceeded.events == 3 else {
            Issue.record("not limited")
            return
        }
        for reservation in [behind, late] { try test.store.refund(reservation) }
        #expect(try usage(at: test.now + 2 * bucket)[2] == 1)
        for request in ["e", "f"] { _ = try reservation(request, at: test.now + 3 * bucket) }
        #expect(try usage(at: test.now + 3 * bucket)[2] == 3)
    }

    @Test("racing requests get exactly the remaining events, whatever others release")
    func racing() throws {
        let (redis, now, network, project) = (test.redis, test.now, network, project)
        let created = try inParallel(8) { racer -> Int in
            let store = Store(TestStore.configuration(redis), shards: .standard)
            var created = 0
            for step in 0..<40 {
                let outcome = try store.decide(
                    .spending(reserving: [network, project], eventID: "\(racer) \(step)"),
                    now: now
                )
                guard case .allowed(let reservation?) = outcome else { continue }
                if step % 4 == 3, created == 0 { created += 1 } else { try store.refund(reservation) }
            }
            return created
        }
        #expect(created.reduce(0, +) <= 3)
        #expect(try usage()[1...] == [created.reduce(0, +), created.reduce(0, +)])
    }
}
