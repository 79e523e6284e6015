import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// Events that are checked against limits and counted, and what of them is taken back.
@Suite struct CountEventTests {
    private let test: TestStore
    private let attempts: RateLimit
    private let network: RateLimit
    private let project: RateLimit

    init() throws {
        test = try TestStore()
        let narrowest = ClientNetworks(narrowest: NetworkIdentity(project: "demo", hash: "net")).all[0]
        attempts = .signUps(by: narrowest, .hour(5))
        network = .newAccounts(by: narrowest, .day(4))
        project = .signUps(ofProject: "demo", .day(3))
    }

    private func admit(_ request: String) throws -> RateLimitDecision {
        try test.store.decide(
            RateLimitTransaction(of: "demo", [attempts], refundable: [network, project], eventID: request),
            now: test.now
        )
    }

    private func reservation(_ request: String) throws -> RateLimitRefund {
        guard case .allowed(let reservation?) = try admit(request) else {
            throw ServerFailure(description: "\(request) has no reservation")
        }
        return reservation
    }

    private func usage() throws -> [Int] {
        try [attempts, network, project].map { try test.store.usage(of: $0, now: test.now).events }
    }

    @Test("an account that is not created is taken back, and the attempt to create it is not")
    func refund() throws {
        let first = try reservation("first")
        let second = try reservation("second")
        #expect(try usage() == [2, 2, 2])
        for _ in 0..<2 { try test.store.refund(first, now: test.now) }
        #expect(try usage() == [2, 1, 1])
        try test.store.refund(second, now: test.now)
        #expect(try usage() == [2, 0, 0])
        for request in ["third", "fourth", "fifth"] { _ = try reservation(request) }
        #expect(try usage() == [5, 3, 3])
        guard case .exceeded(let exceeded) = try admit("sixth") else {
            Issue.record("not limited")
            return
        }
        #expect(exceeded.limit == attempts && exceeded.events == 5)
    }

    @Test("a request that the front end repeats counts once, and only the call that counted it can take it back")
    func repetition() throws {
        _ = try reservation("first")
        guard case .allowed(nil) = try admit("first") else {
            Issue.record("counted again")
            return
        }
        #expect(try usage() == [1, 1, 1])
    }

    @Test("a request counts events of several kinds")
    func kinds() throws {
        _ = try reservation("r")
        let hash = RateLimit.passwordHashes(
            by: ClientNetworks(narrowest: NetworkIdentity(project: "demo", hash: "net")).all[0],
            .hour(5)
        )
        _ = try test.store.decide(RateLimitTransaction(of: "demo", [hash], eventID: "r"), now: test.now)
        #expect(try test.store.usage(of: hash, now: test.now).events == 1)
    }

    @Test("an event that one limit refuses counts in none, and the first exceeded limit is reported", arguments: 0..<3)
    func refusal(number: Int) throws {
        let limits = [attempts, network, project].enumerated().map { index, limit in
            limit.also(
                in: RateLimit.Window(milliseconds: limit.window.milliseconds, maximum: index < number ? 1000 : 2)
            )
        }
        func count(_ event: String) throws -> RateLimitDecision {
            try test.store.decide(RateLimitTransaction(of: "demo", limits, eventID: event), now: test.now)
        }
        for event in ["a", "b"] { _ = try count(event) }
        let before = test.contents()
        guard case .exceeded(let exceeded) = try count("c") else {
            Issue.record("not limited")
            return
        }
        #expect(exceeded.limit == limits[number] && exceeded.events == 2)
        #expect(test.contents() == before)
    }

    @Test("racing requests get exactly the remaining events, whatever others take back")
    func racing() throws {
        let (redis, now, network, project) = (test.redis, test.now, network, project)
        let created = try inParallel(8) { racer -> Int in
            let store = TestStore.store(on: redis)
            var created = 0
            for step in 0..<40 {
                let event = RateLimitTransaction(
                    of: "demo",
                    refundable: [network, project],
                    eventID: "\(racer) \(step)"
                )
                guard case .allowed(let refund?) = try store.decide(event, now: now) else { continue }
                if step % 4 == 3, created == 0 { created += 1 } else { try store.refund(refund, now: now) }
            }
            return created
        }
        #expect(created.reduce(0, +) <= 3)
        #expect(try usage()[1...] == [created.reduce(0, +), created.reduce(0, +)])
    }
}
