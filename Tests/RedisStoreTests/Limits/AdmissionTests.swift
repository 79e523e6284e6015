import TestServers
import Testing

@testable import RedisStore

/// Limits on attempts, and reservations of accounts.
@Suite struct AdmissionTests {
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

    @Test("a released reservation, even if released twice, leaves the attempt counted and the accounts free")
    func release() throws {
        let first = try reservation("first")
        let second = try reservation("second")
        #expect(try usage() == [2, 2, 2])
        for _ in 0..<3 { try test.store.refund(first) }
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

    @Test("a request repeated by nginx counts once, and its repetition releases nothing")
    func repetition() throws {
        let first = try reservation("first")
        for _ in 0..<3 { #expect(try admit("first") == .allowed(refund: nil)) }
        #expect(try usage() == [1, 1, 1])
        // The worker that gave it back died before it responded.
        try test.store.refund(first)
        let again = try reservation("first")
        #expect(try usage() == [1, 1, 1])
        try test.store.refund(again)
        #expect(try usage() == [1, 0, 0])
    }

    @Test("work refused by one limit counts in none")
    func refusal() throws {
        for request in ["a", "b", "c"] { _ = try reservation(request) }
        let before = test.contents()
        guard case .exceeded(let exceeded) = try admit("d"), exceeded.events == 3 else {
            Issue.record("not limited")
            return
        }
        #expect(exceeded.limit == project)
        #expect(test.contents() == before)
    }

    @Test("a project's window stays correct after reservations in several buckets are released")
    func buckets() throws {
        let bucket = project.bucketMilliseconds
        let early = try reservation("early")
        let late = try reservation("late", at: test.now + 2 * bucket)
        // A worker whose clock is behind counts in the newest bucket.
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

    @Test("racing requests get exactly what is left, whatever others release")
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
