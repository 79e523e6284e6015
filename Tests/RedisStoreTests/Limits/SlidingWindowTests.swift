import TestServers
import Testing

@testable import RedisStore

/// The limits of `send-verification-code.lua` compared with a model, and their guarantees for any window.
@Suite struct SlidingWindowTests {
    private static let minute: Int64 = 60_000
    private static let hour = 60 * minute
    private static let day = 24 * hour

    /// Returns the limits of a send to one of three numbers from one of two networks, by one of two apps, of one of two
    /// projects. They are low, so that each one is sometimes exceeded.
    private static func limits(_ random: inout SplitMix) throws -> [RateLimit] {
        let phone = PhoneIdentity(project: "demo", hash: "phone\(random.next() % 3)", shard: Shard(index: 17))
        let network = ClientNetworks(
            narrowest: NetworkIdentity(project: "demo", hash: "net\(random.next() % 2)", shard: Shard(index: 5))
        ).all[0]
        let device = DeviceIdentity(project: "demo", hash: "device\(random.next() % 2)", shard: Shard(index: 9))
        return [
            .messages(to: phone, .hour(3)),
            .messages(to: phone, .day(9)),
            .messages(by: network, .hour(4)),
            .messages(provenBy: device, .hour(5)),
            .messages(provenBy: device, .day(14)),
            .messages(ofProject: "demo\(random.next() % 2)", .day(16)),
            .messagesOfDeployment(.hour(6)),
            .messagesOfDeployment(.day(27)),
        ]
    }

    @Test("thousands of sends are accepted and refused as in a simple model", arguments: [1, 2, 3] as [UInt64])
    func model(seed: UInt64) throws {
        let test = try TestStore()
        var random = SplitMix(seed: seed)
        var models: [RateLimit: SlidingWindowModel] = [:]
        var refusals: [String: Int] = [:]
        var time = test.now
        for step in 0..<1500 {
            // Some pauses are long, and workers' clocks differ by seconds.
            time += Int64(random.next() % UInt64(random.next() % 50 == 0 ? Self.day : 15 * Self.minute))
            let now = time - Int64(random.next() % 10_000)
            let limits = try Self.limits(&random)
            for limit in limits where models[limit] == nil { models[limit] = SlidingWindowModel(limit) }
            let verdicts = limits.map { (limit: $0, look: models[$0]?.look(at: now) ?? (sends: 0, wait: 0)) }
            var worst = verdicts[0]
            for verdict in verdicts where verdict.look.wait > worst.look.wait { worst = verdict }

            switch try Self.open(step, limits, test, now) {
            case .limited(let exceeded):
                #expect(exceeded.limit == worst.limit)
                #expect(exceeded.events == worst.look.sends)
                #expect(exceeded.retryAfter == .milliseconds(worst.look.wait))
                refusals["\(worst.limit.window.milliseconds) \(worst.limit.window.maximum)", default: 0] += 1
            case .opened:
                #expect(worst.look.wait <= 0, "step \(step)")
                for limit in limits { models[limit]?.count(at: now) }
            default:
                Issue.record("step \(step): neither opened nor limited")
            }
            let shown = limits[step % limits.count]
            #expect(try test.store.usage(of: shown, now: now).events == models[shown]?.look(at: now).sends)
        }
        #expect(refusals.count == 8, "each limit refused: \(refusals)")
    }

    @Test("no window of a shared limit exceeds its maximum or lasts more than one bucket too long", arguments: [4, 5])
    func promise(seed: UInt64) throws {
        let test = try TestStore()
        var random = SplitMix(seed: seed)
        let limit = RateLimit.messagesOfDeployment(.hour(40))
        var sent: [Int64] = []
        var now = test.now
        for step in 0..<2000 {
            now += Int64(random.next() % 120_000)
            let inWindow = sent.filter { $0 > now - Self.hour }.count
            switch try Self.open(step, [limit], test, now) {
            case .opened:
                #expect(inWindow < limit.window.maximum)
                sent.append(now)
            case .limited(let exceeded):
                #expect(sent.filter { $0 > now - Self.hour - Self.minute }.count >= limit.window.maximum)
                #expect((.milliseconds(1)...(.seconds(3660))).contains(exceeded.retryAfter))
            default:
                Issue.record("step \(step): neither opened nor limited")
            }
        }
        #expect(sent.count > 500)
        let buckets = try #require(Int(test.redis.cli("HLEN", "dt:{limits}:rate:send:3600000")))
        #expect(buckets <= 61 + 2, "61 buckets, and what is known of them")
    }

    @Test("a refused send changes nothing, whichever limit refuses it", arguments: 0..<6)
    func refusal(number: Int) throws {
        let test = try TestStore()
        let network = ClientNetworks(
            narrowest: NetworkIdentity(project: "demo", hash: "net", shard: Shard(index: 5))
        ).all[0]
        func maximum(_ index: Int) -> Int { index == number ? 2 : 1000 }
        let limits: [RateLimit] = [
            .messages(to: test.phone, .hour(maximum(0))), .messages(to: test.phone, .day(maximum(1))),
            .messages(by: network, .hour(maximum(2))), .messages(ofProject: "demo", .hour(maximum(3))),
            .messagesOfDeployment(.hour(maximum(4))), .messagesOfDeployment(.day(maximum(5))),
        ]
        for step in 0..<2 { _ = try Self.open(step, limits, test, test.now) }
        // Not compared: debts of ranges, which decay meanwhile, and shared limits, which start another bucket.
        func contents() -> [String: String] {
            test.contents().filter { !$0.key.contains(":range:") && !$0.key.hasPrefix("dt:{limits}") }
        }
        let before = contents()
        // The last send is in a later bucket, in which the buckets are scanned again.
        for (step, later) in [(2, 0), (3, 0), (4, 30 * Self.minute)] {
            let outcome = try Self.open(step, limits, test, test.now + later)
            guard case .limited(let exceeded) = outcome else {
                Issue.record("not limited")
                return
            }
            #expect(exceeded.limit == limits[number])
            #expect(exceeded.events == 2)
        }
        #expect(contents() == before)
        for limit in limits { #expect(try test.store.usage(of: limit, now: test.now).events == 2) }
        #expect(test.counts(of: TestStore.ranges.range(.block)).hasPrefix("19713 0 "))
    }

    /// Opens a session. Each step has its own client, so that no session is shared.
    private static func open(_ step: Int, _ limits: [RateLimit], _ test: TestStore, _ now: Int64) throws
        -> SessionOpening
    {
        var bytes = [UInt8](repeating: 0, count: SessionID.byteCount)
        bytes[0] = UInt8(step & 0xFF)
        bytes[1] = UInt8(step >> 8)
        return try test.open(id: bytes, binding: "client\(step)", at: now, limits: limits)
    }
}
