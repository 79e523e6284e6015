import Testing

@testable import Redis

/// What a process knows about the master after events in any order.
@Suite struct KnownMasterTests {
    private let first = Endpoint.tcp(host: "10.0.0.1", port: 6379)
    private let second = Endpoint.tcp(host: "10.0.0.2", port: 6379)
    private let third = Endpoint.tcp(host: "10.0.0.3", port: 6379)
    private let start = Link.Instant.now

    /// The state after events, one second apart, and how often the master changed.
    private struct History {
        var known = KnownMaster()
        var changes = 0
        var now: Link.Instant

        var master: Endpoint? { known.master(at: now) }

        func isBeingReplaced(_ master: Endpoint) -> Bool { known.isBeingReplaced(master, at: now) }
        func isReplaced(_ master: Endpoint) -> Bool { known.isReplaced(master, at: now) }
    }

    private func history(_ events: MasterEvent...) -> History {
        var history = History(now: start)
        for event in events {
            history.now += .seconds(1)
            if history.known.record(event, at: history.now) { history.changes += 1 }
        }
        return history
    }

    @Test("a failover passes from the former master to the promoted one, which the subscribed Sentinel confirms")
    func failover() {
        let began = history(.connected(first), .failoverBegan(first))
        #expect(began.master == first && began.isBeingReplaced(first) && !began.isReplaced(first))
        let promoted = history(.connected(first), .failoverBegan(first), .promoted(from: first, to: second))
        #expect(promoted.master == second && promoted.changes == 1 && promoted.known.failoverCount == 1)
        #expect(!promoted.isBeingReplaced(second) && promoted.isReplaced(first))
        var ended = history(
            .connected(first),
            .failoverBegan(first),
            .promoted(from: first, to: second),
            // It does not know of the promotion yet.
            .reported(first),
            .reported(second)
        )
        #expect(ended.changes == 1)
        ended.now += .seconds(3600)
        #expect(ended.master == second && !ended.isReplaced(first))
    }

    @Test("a failover whose begin was not reported counts, and its former master is marked", arguments: [false, true])
    func missedBegin(isPromotion: Bool) {
        let event: MasterEvent = isPromotion ? .promoted(from: first, to: second) : .reported(second)
        let history = history(.connected(first), event)
        #expect(history.master == second && history.changes == 1 && history.known.failoverCount == 1)
        #expect(history.isReplaced(first) && !history.isBeingReplaced(second))
    }

    @Test("a promotion that the subscribed Sentinel does not confirm is given up, which the next connection notices")
    func rolledBack() {
        var promoted = history(.connected(first), .promoted(from: first, to: second), .reported(first))
        #expect(promoted.master == second)
        promoted.now += KnownMaster.longestFailover
        #expect(promoted.master == first)
        let changes = (0..<2).map { _ in promoted.known.record(.connected(first), at: promoted.now) }
        #expect(changes == [true, false])
        #expect(!promoted.isBeingReplaced(first) && promoted.isReplaced(second))
    }

    @Test("an outdated promotion has no effect")
    func stalePromotion() {
        let stale = history(
            .connected(first),
            .reported(second),
            .reported(third),
            .promoted(from: first, to: second)
        )
        #expect(stale.master == third && stale.changes == 2)
    }

    @Test("events of a failover and of its reversal that arrive late lead to the same master in the end")
    func lateEvents() {
        var late = history(
            .connected(first),
            .reported(second),
            .reported(first),
            .failoverBegan(first),
            .promoted(from: first, to: second),
            .failoverBegan(second),
            .promoted(from: second, to: first)
        )
        #expect(late.master == first && !late.isBeingReplaced(first))
        late.now += .seconds(3600)
        #expect(late.master == first)
        let hasChanged = late.known.record(.connected(first), at: late.now)
        #expect(!hasChanged)
    }

    @Test("if the promoted server or the former master is replaced again, nothing is confirmed until that ends")
    func replacedAgain() {
        let again = history(.connected(first), .promoted(from: first, to: second), .failoverBegan(second))
        #expect(again.master == second && again.isBeingReplaced(second) && again.isReplaced(first))
        let former = history(.connected(first), .promoted(from: first, to: second), .failoverBegan(first))
        #expect(former.master == first && former.isBeingReplaced(first) && former.known.failoverCount == 3)
    }

    @Test("a late report of an earlier failover does not end a later one")
    func lateReport() {
        let began = history(
            .connected(first),
            .promoted(from: first, to: second),
            .failoverBegan(second),
            .reported(second)
        )
        #expect(began.master == second && began.isBeingReplaced(second))
        let promoted = history(
            .connected(first),
            .promoted(from: first, to: second),
            .failoverBegan(second),
            .promoted(from: second, to: third),
            .reported(second)
        )
        #expect(promoted.master == third && promoted.changes == 2)
        #expect(promoted.isReplaced(first) && promoted.isReplaced(second))
        let back = history(
            .connected(second),
            .failoverBegan(second),
            .promoted(from: second, to: first),
            .failoverBegan(first),
            .promoted(from: first, to: second),
            .reported(first)
        )
        #expect(back.master == second && back.isReplaced(first) && !back.isBeingReplaced(second))
    }

    @Test("a former master that is the master again is not marked as being replaced")
    func failback() {
        let back = history(
            .connected(first),
            .failoverBegan(first),
            .reported(second),
            .failoverBegan(second),
            .reported(first)
        )
        #expect(back.master == first && back.changes == 2 && !back.isBeingReplaced(first))
    }

    @Test("a failover ends when it is aborted, but not when a Sentinel gives up that another one has preceded")
    func aborted() {
        #expect(!history(.connected(first), .failoverBegan(first), .failoverAborted(first)).isBeingReplaced(first))
        #expect(history(.connected(first), .failoverBegan(first), .failoverAborted(second)).isBeingReplaced(first))
        let preceded = history(
            .connected(first),
            .failoverBegan(first),
            .promoted(from: first, to: second),
            .failoverAborted(first)
        )
        #expect(preceded.isReplaced(first))
    }

    @Test("messages of Sentinels about this master are parsed, others are ignored")
    func messages() {
        func event(_ channel: String, _ message: String) -> MasterEvent? { MasterEvent(channel, message, of: "main") }
        let (old, new) = ("10.0.0.1 6379", "10.0.0.2 6379")
        #expect(event("+switch-master", "main \(old) \(new)") == .reported(second))
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
