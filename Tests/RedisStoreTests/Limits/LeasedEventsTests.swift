import Redis
import Synchronization
import TestServers
import Testing

@testable import RedisStore

/// Blocks of events of shared limits that a process leases.
@Suite struct LeasedEventsTests: LeasingProcesses {
    let test: TestStore
    let proxy: RedisProxy

    init() throws {
        test = try TestStore()
        proxy = try RedisProxy(to: test.redis)
    }

    /// Reserves events at one time.
    /// - Returns: the number of allowed events.
    @discardableResult
    private func use(_ limits: [RateLimit], _ store: Store, times: Int, at now: Int64? = nil) throws -> Int {
        var allowed = 0
        for number in 0..<times {
            let reservation = try store.reserve(limits, eventID: String(number), now: now ?? test.now)
            if reservation.exceeded.isEmpty { allowed += 1 }
        }
        return allowed
    }

    private func counted(_ limit: RateLimit, at now: Int64? = nil) throws -> Int {
        try test.store.usage(of: limit, now: now ?? test.now).events
    }

    /// A time at which a bucket of the hourly limits begins.
    private var beginning: Int64 { (test.now / 60_000 + 1) * 60_000 }

    @Test("a damaged count is an error and no crash", arguments: ["9000000000000000000", "-9000000000000000000"])
    func damaged(bucket: String) throws {
        let limit = RateLimit.messagesOfDeployment(.hour(1000))
        try use([limit], store(LeasedEvents()), times: 1)
        test.redis.cli("HSET", limit.key, "newest", bucket)
        let outcome = Result { try use([limit], store(LeasedEvents()), times: 1) }
        if case .failure(let error) = outcome { #expect(error is StoreUnavailable) }
    }

    @Test("a busy process makes few calls, counts each event in time, and returns unused events")
    func blocks() throws {
        let window = RateLimit.Window.hour(1_000_000)
        let limits: [RateLimit] = [.messages(ofProject: "demo", window), .messagesOfDeployment(window)]
        let busy = store(LeasedEvents())
        for round in 1...20 {
            #expect(try use(limits, busy, times: 100) == 100)
            for limit in limits { #expect(try (round * 100...round * 100 + 64).contains(counted(limit))) }
        }
        #expect(proxy.scriptCount < 150)
        try busy.returnLeasedEvents(now: test.now)
        for limit in limits { #expect(try counted(limit) == 2000) }
        try busy.returnLeasedEvents(now: test.now)
        for limit in limits { #expect(try counted(limit) == 2000) }
    }

    @Test("a process with few events leases one at a time, and so does a process near the limit", arguments: [5, 150])
    func exact(maximum: Int) throws {
        let limit = RateLimit.messagesOfDeployment(.hour(maximum))
        let busy = store(LeasedEvents())
        for number in 1...maximum {
            let reservation = try busy.reserve([limit], eventID: String(number), now: test.now)
            #expect(reservation.events == [number])
            #expect(try counted(limit) == number)
        }
        let refused = try busy.reserve([limit], eventID: "next", now: test.now)
        #expect(refused.exceeded.first?.events == maximum && refused.refund.isEmpty)

        let slow = store(LeasedEvents())
        let ofProject = RateLimit.messages(ofProject: "demo", .hour(1_000_000))
        for second in 0..<Int64(100) {
            try use([ofProject], slow, times: 7, at: beginning + second * 500)
            #expect(try counted(ofProject, at: beginning + second * 500) == Int(second + 1) * 7)
        }
    }

    @Test("the count of events in a window includes those that the process has used so far")
    func events() throws {
        let limit = RateLimit.messagesOfDeployment(.hour(1_000_000))
        let busy = store(LeasedEvents())
        for number in 1...500 {
            #expect(try busy.reserve([limit], eventID: String(number), now: test.now).events == [number])
        }
    }

    @Test("racing processes never exceed a limit, and together reach it")
    func racing() throws {
        let limits: [RateLimit] = [.messages(ofProject: "demo", .hour(3000)), .messagesOfDeployment(.hour(2500))]
        let (processes, redis, now) = ([LeasedEvents(), LeasedEvents(), LeasedEvents()], test.redis, test.now)
        let allowed = try inParallel(6) { racer -> Int in
            let configuration = TestStore.configuration(redis)
            let store = Store(configuration, shards: .standard, leasedEvents: processes[racer % 3])
            var allowed = 0
            for number in 0..<700 {
                let reservation = try store.reserve(limits, eventID: "\(racer) \(number)", now: now)
                guard reservation.exceeded.isEmpty else { continue }
                // Some events do not happen.
                if number % 5 == 0 { try store.refund(reservation.refund) } else { allowed += 1 }
            }
            return allowed
        }.reduce(0, +)
        #expect(allowed <= 2500)
        for process in processes { try store(process).returnLeasedEvents(now: test.now) }
        for limit in limits { #expect(try counted(limit) == allowed) }
        // A fourth process gets exactly the remaining events.
        #expect(try use(limits, store(LeasedEvents()), times: 2501 - allowed) == 2500 - allowed)
    }

    @Test("leased events of a bucket that has ended are not used")
    func buckets() throws {
        let limit = RateLimit.messagesOfDeployment(.hour(1_000_000))
        let busy = store(LeasedEvents())
        let late = beginning + 59_900
        try use([limit], busy, times: 200, at: late)
        #expect(try counted(limit, at: late) > 200)
        try use([limit], busy, times: 1, at: beginning + 60_000)
        // The unused events were returned before the lease in the next bucket.
        let unused = try counted(limit, at: beginning + 60_000) - 201
        #expect((0...25).contains(unused))
        let end = beginning + 60_000 + limit.window.milliseconds
        #expect(try counted(limit, at: end - 1) == 201 + unused)
        #expect(try counted(limit, at: end) == 1 + unused)
        try busy.returnLeasedEvents(now: test.now)
        #expect(try counted(limit, at: end) == 1)
    }

    @Test("unused events are returned after a second, with the next lease of any limit")
    func ended() throws {
        let limit = RateLimit.messagesOfDeployment(.day(1_000_000))
        let other = RateLimit.signUps(ofProject: "a", .day(9))
        let busy = store(LeasedEvents())
        try use([limit], busy, times: 200)
        let unused = try counted(limit) - 200
        #expect(unused > 0)
        try use([other], busy, times: 1, at: test.now + LeasedEvents.lifeMilliseconds - 1)
        #expect(try counted(limit) == 200 + unused)
        try use([other], busy, times: 1, at: test.now + LeasedEvents.lifeMilliseconds)
        #expect(try counted(limit) == 200)
        #expect(try counted(other) == 2)
    }

    @Test("after the maximum is lowered, events leased under the former one are not used")
    func lowered() throws {
        let busy = store(LeasedEvents())
        try use([.messagesOfDeployment(.hour(1_000_000))], busy, times: 200)
        let lowered = RateLimit.messagesOfDeployment(.hour(100))
        #expect(try use([lowered], busy, times: 10) == 0)
        try busy.returnLeasedEvents(now: test.now)
        #expect(try counted(lowered) == 200)
    }

    @Test("events leased by a process that was killed count until the window ends")
    func killed() throws {
        let limit = RateLimit.messagesOfDeployment(.hour(1_000_000))
        try use([limit], store(LeasedEvents()), times: 200)
        let leased = try counted(limit)
        #expect((201...264).contains(leased))
        try use([limit], store(LeasedEvents()), times: 1)
        #expect(try counted(limit) == leased + 1)
        #expect(try counted(limit, at: test.now + limit.window.milliseconds + limit.bucketMilliseconds) == 0)
    }

    @Test("a repeated call gets the same lease, and a lease whose reply is lost counts", arguments: [true, false])
    func lostReply(isRepeated: Bool) throws {
        let limit = RateLimit.messagesOfDeployment(.hour(1_000_000))
        let leasedEvents = LeasedEvents()
        try use([limit], store(leasedEvents), times: 200)
        var configuration = TestStore.configuration(test.redis, over: proxy.socketPath)
        configuration.commandTimeout = .seconds(1)
        let losing = Store(configuration, shards: .standard, leasedEvents: leasedEvents)
        losing.deadline = isRepeated ? .now + .seconds(30) : nil
        proxy.interrupt(afterScripts: 1, isRepeated ? .hang : .close)
        var used = 200
        do {
            while true {
                try use([limit], losing, times: 1)
                used += 1
                if proxy.hasInterrupted() { break }
                proxy.interrupt(afterScripts: 1, isRepeated ? .hang : .close)
            }
            #expect(isRepeated)
        } catch is StoreUnavailable {
            #expect(!isRepeated)
        }
        try losing.returnLeasedEvents(now: test.now)
        let counted = try counted(limit)
        #expect(isRepeated ? counted == used : (used + 1...used + 64).contains(counted))
    }
}
