import Testing

@testable import Redis

/// What a process knows about the master after events in any order.
@Suite struct KnownMasterTests {
    private let first = Endpoint.tcp(host: "10.0.0.1", port: 6379)
    private let second = Endpoint.tcp(host: "10.0.0.2", port: 6379)
    private let third = Endpoint.tcp(host: "10.0.0.3", port: 6379)
    private let start = Link.Instant.now

    /// Returns the state after these events, one second apart, and how often the master changed.
    private func state(after events: MasterEvent...) -> (known: KnownMaster, changes: Int, now: Link.Instant) {
        var known = KnownMaster()
        var (changes, now) = (0, start)
        for event in events {
            now += .seconds(1)
            if known.record(event, at: now) { changes += 1 }
        }
        return (known, changes, now)
    }

    private func isBeingReplaced(_ master: Endpoint, after events: MasterEvent...) -> Bool {
        var known = KnownMaster()
        for event in events { _ = known.record(event, at: start) }
        return known.isBeingReplaced(master, at: start)
    }

    @Test("a failover passes from the former master to the promoted one, which its end confirms")
    func failover() {
        let began = state(after: .connected(first), .failoverBegan(first))
        #expect(began.known.master(at: began.now) == first && began.known.isBeingReplaced(first, at: began.now))
        #expect(!began.known.isReplaced(first, at: began.now))
        let promoted = state(after: .connected(first), .failoverBegan(first), .promoted(from: first, to: second))
        #expect(promoted.known.master(at: promoted.now) == second && promoted.changes == 1)
        #expect(!promoted.known.isBeingReplaced(second, at: promoted.now))
        #expect(promoted.known.isReplaced(first, at: promoted.now))
        #expect(promoted.known.failoverCount == 1)
        let ended = state(
            after: .connected(first),
            .failoverBegan(first),
            .promoted(from: first, to: second),
            .reported(first),
            .switched(from: first, to: second)
        )
        let later = ended.now + .seconds(3600)
        #expect(ended.known.master(at: later) == second && ended.changes == 1)
        #expect(!ended.known.isReplaced(first, at: later))
    }

    @Test("without a report of a failover's begin, its promotion counts as the begin, and its end as the promotion")
    func missedEvents() {
        let promoted = state(after: .connected(first), .promoted(from: first, to: second))
        #expect(promoted.known.failoverCount == 1 && promoted.known.isReplaced(first, at: promoted.now))
        let ended = state(after: .connected(first), .switched(from: first, to: second))
        #expect(ended.known.master(at: ended.now) == second && ended.changes == 1)
    }

    @Test("a promotion that no end confirms is rolled back, which is noticed at the next connection")
    func rolledBack() {
        let promoted = state(after: .connected(first), .promoted(from: first, to: second), .reported(first))
        let later = promoted.now + KnownMaster.longestFailover
        #expect(promoted.known.master(at: promoted.now) == second)
        #expect(promoted.known.master(at: later) == first)
        var known = promoted.known
        let changes = (0..<2).map { _ in known.record(.connected(first), at: later) }
        #expect(changes == [true, false])
        #expect(!known.isReplaced(first, at: later))
    }

    @Test("the promotion of a server that is not the replica of this master has no effect")
    func stalePromotion() {
        let stale = state(
            after: .connected(first),
            .switched(from: first, to: second),
            .switched(from: second, to: third),
            .promoted(from: first, to: second)
        )
        #expect(stale.known.master(at: stale.now) == third && stale.changes == 2)
        #expect(stale.known.failoverCount == 0)
    }

    @Test("if the promoted server or the former master is replaced again, nothing is confirmed until that ends")
    func replacedAgain() {
        let again = state(after: .connected(first), .promoted(from: first, to: second), .failoverBegan(second))
        #expect(again.known.master(at: again.now) == second && again.known.isBeingReplaced(second, at: again.now))
        let former = state(after: .connected(first), .promoted(from: first, to: second), .failoverBegan(first))
        #expect(former.known.master(at: former.now) == first && former.known.isBeingReplaced(first, at: former.now))
        #expect(former.known.failoverCount == 2)
    }

    @Test("the late end of an earlier failover does not end a later one")
    func lateEnd() {
        let late = MasterEvent.switched(from: first, to: second)
        let began = state(after: .connected(first), .promoted(from: first, to: second), .failoverBegan(second), late)
        #expect(began.known.master(at: began.now) == second && began.known.isBeingReplaced(second, at: began.now))
        let promoted = state(
            after: .connected(first),
            .promoted(from: first, to: second),
            .failoverBegan(second),
            .promoted(from: second, to: third),
            late
        )
        #expect(promoted.known.master(at: promoted.now) == third && promoted.changes == 2)
        #expect(promoted.known.isReplaced(second, at: promoted.now))
    }

    @Test("a former master that is the master again is not marked as being replaced")
    func failback() {
        let back = state(
            after: .connected(first),
            .failoverBegan(first),
            .switched(from: first, to: second),
            .switched(from: second, to: first)
        )
        #expect(back.known.master(at: back.now) == first && back.changes == 2)
        #expect(!back.known.isBeingReplaced(first, at: back.now))
    }

    @Test("a failover ends when it is aborted, but not when a Sentinel gives up that another one has preceded")
    func aborted() {
        #expect(isBeingReplaced(first, after: .connected(first), .failoverBegan(first)))
        #expect(!isBeingReplaced(first, after: .connected(first), .failoverBegan(first), .failoverAborted(first)))
        #expect(isBeingReplaced(first, after: .connected(first), .failoverBegan(first), .failoverAborted(second)))
        #expect(
            isBeingReplaced(
                first,
                after: .connected(first),
                .failoverBegan(first),
                .promoted(from: first, to: second),
                .failoverAborted(first)
            )
        )
    }

    @Test("messages of Sentinels about this master are parsed, others are ignored")
    func messages() {
        func event(_ channel: String, _ message: String) -> MasterEvent? { MasterEvent(channel, message, of: "main") }
        let (old, new) = ("10.0.0.1 6379", "10.0.0.2 6379")
        #expect(event("+switch-master", "main \(old) \(new)") == .switched(from: first, to: second))
        #expect(event("+try-failover", "master main \(old)") == .failoverBegan(first))
        #expect(event("-failover-abort-not-elected", "master main \(old)") == .failoverAborted(first))
        let promotion = "slave 10.0.0.2:6379 \(new) @ main \(old)"
        #expect(event("+promoted-slave", promotion) == .promoted(from: first, to: second))
        for (channel, message) in [
            ("+switch-master", "other \(old) \(new)"), ("+switch-master", "main \(old)"), ("+switch-master", ""),
            ("+try-failover", "master other \(old)"), ("+try-failover", "master main 10.0.0.1 x"),
            ("+promoted-slave", "slave a \(new) @ other \(old)"), ("+promoted-slave", "slave a \(new)"),
        ] {
            #expect(event(channel, message) == nil)
        }
    }
}
