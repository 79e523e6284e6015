import TestServers
import Testing

@testable import RedisStore

/// The limits of `send-verification-code.lua` and `count-event.lua` compared with models, and what they promise.
@Suite struct RateLimitTests {
    private static let minute: Int64 = 60_000
    private static let hour = 60 * minute
    private static let day = 24 * hour

    private static func network(_ hash: String) -> ClientNetworks.Network {
        ClientNetworks(narrowest: NetworkIdentity(project: "demo", hash: hash)).all[0]
    }

    /// Returns the limits of a send to one of three numbers from one of two networks, by one of two devices. They are
    /// low, so that each one is sometimes exceeded.
    private static func limits(_ random: inout SplitMix) -> [RateLimit] {
        let phone = PhoneIdentity(project: "demo", hash: "phone\(random.next() % 3)", shard: Shard(index: 17))
        let device = DeviceIdentity(project: "demo", hash: "device\(random.next() % 2)", shard: Shard(index: 9))
        return [
            .messages(to: phone, .hour(3)),
            .messages(to: phone, .day(9)),
            .messages(by: network("net\(random.next() % 2)"), .hour(4)),
            .messages(provenBy: device, .hour(5)),
            .messages(provenBy: device, .day(14)),
            .messages(ofProject: "demo", .hour(6)),
            .messages(ofProject: "demo", .day(27)),
        ]
    }

    @Test("thousands of sends are accepted and refused as in a simple model", arguments: [1, 2, 3] as [UInt64])
    func sends(seed: UInt64) throws {
        let test = try TestStore()
        var random = SplitMix(seed: seed)
        var models: [RateLimit: LimitModel] = [:]
        var refusals: [RateLimit.Window: Int] = [:]
        var time = test.now
        for step in 0..<1500 {
            // Some pauses are long, and workers' clocks differ by seconds.
            time += Int64(random.next() % UInt64(random.next() % 50 == 0 ? Self.day : 15 * Self.minute))
            let now = time - Int64(random.next() % 10_000)
            let limits = Self.limits(&random)
            for limit in limits where models[limit] == nil { models[limit] = LimitModel(limit) }
            let looks = limits.map { (limit: $0, look: models[$0]?.look(at: now) ?? (events: 0, wait: 0)) }
            var worst = looks[0]
            for look in looks where look.look.wait > worst.look.wait { worst = look }

            switch try Self.open(step, limits, test, now) {
            case .limited(let exceeded):
                #expect(exceeded.limit == worst.limit, "step \(step)")
                #expect(exceeded.events == worst.look.events, "step \(step)")
                #expect(exceeded.retryAfter == .milliseconds(worst.look.wait), "step \(step)")
                refusals[worst.limit.window, default: 0] += 1
            case .opened:
                #expect(worst.look.wait <= 0, "step \(step)")
                for limit in limits { models[limit]?.count(at: now) }
            default:
                Issue.record("step \(step): neither opened nor limited")
            }
            let shown = limits[step % limits.count]
            #expect(try test.store.usage(of: shown, now: now).events == models[shown]?.look(at: now).events)
        }
        #expect(refusals.count == 7, "each limit refused: \(refusals)")
    }

    @Test("thousands of other events are counted and refused as in a simple model", arguments: [4, 5] as [UInt64])
    func events(seed: UInt64) throws {
        let test = try TestStore()
        var random = SplitMix(seed: seed)
        let email = EmailIdentity(project: "demo", hash: "mail", shard: Shard(index: 1))
        let limits: [RateLimit] = [
            .wrongPasswords(for: email, .day(40)), .wrongPasswords(by: Self.network("net"), .hour(12)),
        ]
        var models = limits.map(LimitModel.init)
        var refused: Set<RateLimit> = []
        var now = test.now
        for step in 0..<1500 {
            now += Int64(random.next() % UInt64(step % 40 == 0 ? Self.day : 10 * Self.minute))
            let looks = models.map { $0.look(at: now) }
            let event = RateLimitTransaction(of: "demo", limits, eventID: "\(step)")
            switch try test.store.decide(event, now: now) {
            case .exceeded(let exceeded):
                let first = try #require(looks.firstIndex { $0.wait > 0 })
                #expect(exceeded.limit == limits[first] && exceeded.events == looks[first].events, "step \(step)")
                #expect(exceeded.retryAfter == .milliseconds(looks[first].wait), "step \(step)")
                refused.insert(exceeded.limit)
            case .allowed:
                #expect(looks.allSatisfy { $0.wait <= 0 }, "step \(step)")
                for index in models.indices { models[index].count(at: now) }
            }
        }
        #expect(refused == Set(limits))
    }

    @Test(
        "a rate lets its maximum through at once, then one event after each part of its window",
        arguments: [1, 3, 7]
    )
    func rate(maximum: Int) throws {
        let window = RateLimit.Window.hour(maximum)
        let rate = CellRate(window: window)
        var arrival: Double?
        let now: Int64 = 1_800_000_000_000
        for count in 0..<maximum {
            #expect(rate.wait(arrival, now: now) == 0 && rate.events(arrival, now: now) == count)
            arrival = rate.next(arrival, now: now)
        }
        let part = (Self.hour + Int64(maximum) - 1) / Int64(maximum)
        #expect(rate.wait(arrival, now: now) == part)
        #expect(rate.nextLeaves(arrival, now: now) == now + part)
        #expect(rate.wait(arrival, now: now + part) == 0)
        #expect(rate.events(arrival, now: now + Self.hour) == 0)
    }

    @Test("a rate never lets more than twice its maximum through in a window, and its maximum in the long run")
    func promise() throws {
        let rate = CellRate(window: .hour(40))
        var (random, arrival): (SplitMix, Double?) = (SplitMix(seed: 6), nil)
        var sent: [Int64] = []
        var now: Int64 = 1_800_000_000_000
        let start = now
        for _ in 0..<20_000 {
            now += Int64(random.next() % (random.next() % 100 == 0 ? 7_200_000 : 60_000))
            guard rate.wait(arrival, now: now) == 0 else { continue }
            arrival = rate.next(arrival, now: now)
            sent.append(now)
            #expect(sent.suffix(81).filter { $0 > now - Self.hour }.count < 80)
        }
        #expect(sent.count > 500)
        #expect(Int64(sent.count) <= 40 + 40 * (now - start) / Self.hour)
    }

    @Test("a part of a shared limit is left for known clients and for users of the number's account")
    func reserved() throws {
        let test = try TestStore()
        let limit = RateLimit.messages(ofProject: "demo", .hour(10, reserved: 3))
        func send(_ step: Int, _ binding: String) throws -> SessionOpening {
            try test.open(
                id: [UInt8](repeating: UInt8(step), count: SessionID.byteCount),
                binding: binding,
                limits: [.messages(to: test.phone, .hour(100)), limit]
            )
        }
        _ = try send(1, "known")
        try test.answer(1, isRight: true, request: "r")
        for step in 2...7 { _ = try send(step, "stranger \(step)") }
        guard case .limited(let exceeded) = try send(8, "stranger 8") else {
            Issue.record("not limited")
            return
        }
        #expect(exceeded.limit == limit && exceeded.reserved == 3 && exceeded.events == 7)
        guard case .opened = try send(9, "known") else {
            Issue.record("a known client was refused")
            return
        }
    }

    @Test("a refused send changes nothing, whichever limit refuses it", arguments: 0..<5)
    func refusal(number: Int) throws {
        let test = try TestStore()
        func maximum(_ index: Int) -> Int { index == number ? 2 : 1000 }
        let limits: [RateLimit] = [
            .messages(to: test.phone, .hour(maximum(0))), .messages(to: test.phone, .day(maximum(1))),
            .messages(by: Self.network("net"), .hour(maximum(2))), .messages(ofProject: "demo", .hour(maximum(3))),
            .messages(ofProject: "demo", .day(maximum(4))),
        ]
        for step in 0..<2 { _ = try Self.open(step, limits, test, test.now) }
        let before = test.contents()
        for (step, later) in [(2, 0), (3, 0), (4, Self.minute)] {
            guard case .limited(let exceeded) = try Self.open(step, limits, test, test.now + later) else {
                Issue.record("not limited")
                return
            }
            #expect(exceeded.limit == limits[number] && exceeded.events == 2)
        }
        #expect(test.contents() == before)
        for limit in limits { #expect(try test.store.usage(of: limit, now: test.now).events == 2) }
    }

    /// Opens a session. Each step has its own client, so that no session is shared.
    private static func open(
        _ step: Int,
        _ limits: [RateLimit],
        _ test: TestStore,
        _ now: Int64
    ) throws -> SessionOpening {
        var bytes = [UInt8](repeating: 0, count: SessionID.byteCount)
        bytes[0] = UInt8(step & 0xFF)
        bytes[1] = UInt8(step >> 8)
        return try test.open(id: bytes, binding: "client\(step)", at: now, limits: limits)
    }
}
