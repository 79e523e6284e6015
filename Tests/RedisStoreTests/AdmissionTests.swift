import TestServers
import Testing

@testable import RedisStore

/// Limits on attempts, and reservations of accounts.
@Suite struct AdmissionTests {
    private static let hour: Int64 = 3_600_000
    private static let day = 24 * hour

    private let test: TestStore
    private let attempts: AdmissionLimit
    private let network: AdmissionLimit
    private let project: AdmissionLimit

    init() throws {
        test = try TestStore()
        let narrowest = ClientNetworks(
            narrowest: NetworkIdentity(project: "demo", hash: "net", shard: Shard(index: 5))
        ).all[0]
        attempts = AdmissionLimit(.signUpsOfNetwork(narrowest), windowMilliseconds: Self.hour, maximum: 5)
        network = AdmissionLimit(.newAccountsOfNetwork(narrowest), windowMilliseconds: Self.day, maximum: 4)
        project = AdmissionLimit(.signUpsOfProject("demo"), windowMilliseconds: Self.day, maximum: 3)
    }

    private func admit(_ request: String, at now: Int64? = nil) throws -> AdmissionOutcome {
        try test.store.admit(
            attempts: [attempts],
            accounts: [network, project],
            requestID: request,
            now: now ?? test.now
        )
    }

    private func reservation(_ request: String, at now: Int64? = nil) throws -> AccountReservation {
        guard case .admitted(let reservation?) = try admit(request, at: now) else {
            throw ServerFailure(description: "\(request) has no reservation")
        }
        return reservation
    }

    private func usage(at now: Int64? = nil) throws -> [Int] {
        try [attempts, network, project].map { try test.store.usage(of: $0, now: now ?? test.now).events }
    }

    @Test("a reservation that is given back, once or again, leaves the attempt counted and the accounts free")
    func release() throws {
        let first = try reservation("first")
        let second = try reservation("second")
        #expect(try usage() == [2, 2, 2])
        for _ in 0..<3 { try test.store.release(first) }
        #expect(try usage() == [2, 1, 1])
        try test.store.release(second)
        #expect(try usage() == [2, 0, 0])
        for request in ["third", "fourth", "fifth"] { _ = try reservation(request) }
        #expect(try usage() == [5, 3, 3])
        guard case .limited(let limit, 5, _) = try admit("sixth") else {
            Issue.record("not limited")
            return
        }
        #expect(limit == attempts)
    }

    @Test("a request that a front end repeats is counted once, and its repetition gives nothing back")
    func repetition() throws {
        let first = try reservation("first")
        for _ in 0..<3 { #expect(try admit("first") == .admitted(nil)) }
        #expect(try usage() == [1, 1, 1])
        // The worker that gave it back died before it responded.
        try test.store.release(first)
        let again = try reservation("first")
        #expect(try usage() == [1, 1, 1])
        try test.store.release(again)
        #expect(try usage() == [1, 0, 0])
    }

    @Test("work that one limit refuses is counted in none")
    func refusal() throws {
        for request in ["a", "b", "c"] { _ = try reservation(request) }
        let before = test.contents()
        guard case .limited(let limit, 3, _) = try admit("d") else {
            Issue.record("not limited")
            return
        }
        #expect(limit == project)
        #expect(test.contents() == before)
    }

    @Test("a project's window is right after reservations of earlier and later buckets were given back")
    func buckets() throws {
        let bucket = project.bucketMilliseconds
        let early = try reservation("early")
        let late = try reservation("late", at: test.now + 2 * bucket)
        // A worker whose clock is behind counts in the newest bucket.
        let behind = try reservation("behind", at: test.now + bucket)
        #expect(try usage(at: test.now + 2 * bucket)[2] == 3)
        try test.store.release(early)
        #expect(try usage(at: test.now + 2 * bucket)[2] == 2)
        _ = try reservation("other", at: test.now + 2 * bucket)
        guard case .limited(_, 3, _) = try admit("full", at: test.now + 2 * bucket) else {
            Issue.record("not limited")
            return
        }
        for reservation in [behind, late] { try test.store.release(reservation) }
        #expect(try usage(at: test.now + 2 * bucket)[2] == 1)
        for request in ["e", "f"] { _ = try reservation(request, at: test.now + 3 * bucket) }
        #expect(try usage(at: test.now + 3 * bucket)[2] == 3)
    }

    @Test("racing requests get just what is left, whatever others give back")
    func racing() throws {
        let (redis, now, network, project) = (test.redis, test.now, network, project)
        let created = try inParallel(8) { racer -> Int in
            let store = Store(TestStore.configuration(redis), shards: .standard)
            var created = 0
            for step in 0..<40 {
                let outcome = try store.admit(
                    attempts: [],
                    accounts: [network, project],
                    requestID: "\(racer) \(step)",
                    now: now
                )
                guard case .admitted(let reservation?) = outcome else { continue }
                if step % 4 == 3, created == 0 { created += 1 } else { try store.release(reservation) }
            }
            return created
        }
        #expect(created.reduce(0, +) <= 3)
        #expect(try usage()[1...] == [created.reduce(0, +), created.reduce(0, +)])
    }
}
