import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// The limits of `send-verification-code.lua` and `count-event.lua` compared with models, and what they promise.
@Suite struct RateLimitTests {
    private static let minute: Int64 = 60_000
    private static let hour = 60 * minute
    private static let day = 24 * hour

    private static func network(_ hash: String) -> ClientNetworks.Network {
        ClientNetworks(narrowest: NetworkIdentity(project: "demo", hash: hash)).all[0]
    }

    /// What has low limits in a test, so that each one is sometimes exceeded: otherwise the lowest would hide others.
    enum Limited: UInt64, CaseIterable {
        case number
        case client
        case project
    }

    /// Returns the limits of a send to a number from one of two networks, by one of two devices.
    private static func limits(of phone: PhoneIdentity, _ limited: Limited, _ random: inout SplitMix) -> [RateLimit] {
        let device = DeviceIdentity(project: "demo", hash: "device\(random.next() % 2)", shard: Shard(index: 9))
        func maximum(_ low: Int, of subject: Limited) -> Int { subject == limited ? low : 100 * low }
        return [
            .messages(to: phone, .hour(maximum(3, of: .number))),
            .messages(to: phone, .day(maximum(9, of: .number))),
            .messages(by: network("net\(random.next() % 2)"), .hour(maximum(4, of: .client))),
            .messages(provenBy: device, .hour(maximum(3, of: .client))),
            .messages(provenBy: device, .day(maximum(20, of: .client))),
            .messages(ofProject: "demo", .hour(maximum(6, of: .project))),
            .messages(ofProject: "demo", .day(maximum(27, of: .project))),
        ]
    }

    private static func phone(_ number: Int) -> PhoneIdentity {
        PhoneIdentity(project: "demo", hash: "phone\(number)")
    }

    @Test("thousands of sends are accepted and refused as in a simple model", arguments: Limited.allCases)
    func sends(limited: Limited) throws {
        let test = try TestStore()
        var random = SplitMix(seed: limited.rawValue)
        var models: [RateLimit: LimitModel] = [:]
        var refusals: Set<RateLimit> = []
        var time = test.now
        for step in 0..<1500 {
            // Some pauses are long, and workers' clocks differ by seconds.
            time += Int64(random.next() % UInt64(random.next() % 50 == 0 ? Self.day : 15 * Self.minute))
            let now = time - Int64(random.next() % 10_000)
            let number = Int(random.next() % 3)
            let limits = Self.limits(of: Self.phone(number), limited, &random)
            for limit in limits where models[limit] == nil { models[limit] = LimitModel(limit) }
            let looks = limits.map { (limit: $0, look: models[$0]?.look(at: now) ?? (events: 0, wait: 0)) }
            var worst = looks[0]
            for look in looks where look.look.wait > worst.look.wait { worst = look }

            switch try Self.open(step, limits, test, now, to: Self.phone(number)) {
            case .limited(let exceeded):
                #expect(exceeded.limit == worst.limit, "step \(step)")
                #expect(exceeded.events == worst.look.events, "step \(step)")
                #expect(exceeded.retryAfter == .milliseconds(worst.look.wait), "step \(step)")
                refusals.insert(worst.limit)
            case .opened:
                #expect(worst.look.wait <= 0, "step \(step)")
                for limit in limits { models[limit]?.count(at: now) }
            default:
                Issue.record("step \(step): neither opened nor limited")
            }
            let shown = limits[step % limits.count]
            #expect(try test.store.usage(of: shown, now: now).events == models[shown]?.look(at: now).events)
        }
        let names = Set(refusals.map { "\($0.scope.name) \($0.window.milliseconds)" })
        #expect(names.count == (limited == .client ? 3 : 2), "each low limit refused: \(names)")
    }

    @Test("thousands of other events are counted and refused as in a simple model", arguments: [4, 5] as [UInt64])
    func events(seed: UInt64) throws {
        let test = try TestStore()
        var random = SplitMix(seed: seed)
        let email = EmailIdentity(project: "demo", hash: "mail", shard: Shard(index: 1))
        let limits: [RateLimit] = [
            .wrongPasswords(for: email, .day(40)), .wrongPasswords(by: Self.network("net"), .hour(6)),
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
        var arrival: Int64?
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

    @Test("events that are counted in another order than they arrived have the same room, within five seconds")
    func order() throws {
        let rate = CellRate(window: .hour(3))
        let arrived: [Int64] = [4000, 0, 2000].map { 1_800_000_000_000 + $0 }
        var arrival: Int64?
        for now in arrived {
            #expect(rate.wait(arrival, now: now) == 0)
            arrival = rate.next(arrival, now: now)
        }
        #expect(rate.wait(arrival, now: arrived[0]) > 0)
    }

    @Test("an event of a clock that was hours ahead does not use up a rate")
    func wrongClock() throws {
        let test = try TestStore()
        let limits = [RateLimit.messages(ofProject: "demo", .hour(5)), .messages(ofProject: "demo", .day(20))]
        let (ahead, number) = (test.now + 90_000_000, RateLimit.messages(to: test.phone, .hour(100)))
        try test.open(1, binding: "1", at: ahead, limits: [number] + limits)
        #expect(try test.store.usage(of: limits[0], now: test.now).events == 0)
        let event = RateLimitTransaction(of: "demo", limits, eventID: "event")
        guard case .allowed = try test.store.decide(event, now: test.now) else {
            Issue.record("refused")
            return
        }
        #expect(try test.store.usage(of: limits[1], now: test.now).events == 1)
        for client in 2...5 {
            guard case .opened = try test.open(UInt8(client), binding: "\(client)", limits: [number] + limits) else {
                Issue.record("refused \(client)")
                return
            }
        }
    }

    @Test("a rate never lets more than twice its maximum through in a window, and its maximum in the long run")
    func promise() throws {
        let rate = CellRate(window: .hour(40))
        var (random, arrival): (SplitMix, Int64?) = (SplitMix(seed: 6), nil)
        var sent: [Int64] = []
        var now: Int64 = 1_800_000_000_000
        let start = now
        for _ in 0..<20_000 {
            now += Int64(random.next() % (random.next() % 100 == 0 ? 7_200_000 : 60_000))
            guard rate.wait(arrival, now: now) == 0 else { continue }
            arrival = rate.next(arrival, now: now)
            sent.append(now)
            #expect(sent.suffix(82).filter { $0 > now - Self.hour }.count <= 80)
        }
        #expect(sent.count > 500)
        #expect(Int64(sent.count) <= 40 + 40 * (now - start) / Self.hour)
    }

    @Test("a part of a shared limit is left for known clients and for users of the number's account")
    func reserved() throws {
        let test = try TestStore()
        let limit = RateLimit.messages(ofProject: "demo", .hour(10, reserved: 3))
        func send(_ step: Int, _ binding: String) throws -> VerificationOpening {
            try test.open(UInt8(step), binding: binding, limits: [.messages(to: test.phone, .hour(100)), limit])
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
        _ now: Int64,
        to phone: PhoneIdentity? = nil
    ) throws -> VerificationOpening {
        try test.open(try test.sessionID(step: step), binding: "client\(step)", at: now, limits: limits, to: phone)
    }
}
