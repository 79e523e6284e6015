import Redis
import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// A send: one step that checks and counts everything and opens the session, or changes nothing.
@Suite struct SendVerificationCodeTests {
    private let test: TestStore
    private let proxy: RedisProxy
    /// The limits of the number, a network, a device and the project.
    private let limits: [RateLimit]

    init() throws {
        test = try TestStore()
        proxy = try RedisProxy(to: test.redis)
        let network = NetworkIdentity(project: "demo", hash: "net")
        let device = DeviceIdentity(project: "demo", hash: "device", shard: Shard(index: 9))
        limits = [
            .messages(to: test.phone, .hour(5)),
            .messages(by: ClientNetworks(narrowest: network).all[0], .hour(5)),
            .messages(provenBy: device, .hour(5)), .messages(ofProject: "demo", .hour(50)),
            .messages(ofProject: "demo", .day(50)),
        ]
    }

    private func usage() throws -> [Int] {
        try limits.map { try test.store.usage(of: $0, now: test.now).events }
    }

    private func owed() throws -> [Int] {
        try RangeKind.allCases.map {
            try test.store.debt(of: TestStore.ranges.range($0), TestStore.bounds, now: test.now)
        }
    }

    private func messages() -> String { test.redis.cli("XLEN", KeyNames.outbox(.messages, of: "demo")) }

    /// Returns a connected store behind the proxy, whose server knows all scripts.
    private func interruptedStore(commandTimeout: Duration) throws -> Store {
        var configuration = TestStore.configuration(test.redis, over: proxy.socketPath)
        configuration.commandTimeout = commandTimeout
        var elsewhere = configuration
        elsewhere.database = 1
        try test.open(1, limits: limits, price: 5, on: TestStore.store(elsewhere))
        let store = TestStore.store(configuration)
        try store.ping()
        return store
    }

    @Test("a message counts once in each limit, and the decision names them all")
    func opened() throws {
        try test.open(1, limits: limits)
        #expect(try usage() == [1, 1, 1, 1, 1])
        #expect(try owed() == [1, 1, 1])
        let reference = DecisionReference(requestID: "client")
        let decision = try #require(try test.store.decision(reference, now: test.now))
        #expect(decision.limits.map(\.name) == ["number", "network", "app credential", "project", "project"])
        #expect(decision.limits.map(\.sends) == [1, 1, 1, 1, 1])
    }

    @Test("a send for an open session counts nowhere, and a resent message counts again")
    func repeated() throws {
        try test.open(1, limits: limits, price: 5)
        guard case .reentered(let session, _) = try test.open(2, limits: limits, price: 5) else {
            Issue.record("not reentered")
            return
        }
        #expect(try session == test.sessionID(1) && messages() == "1")
        #expect(try usage() == [1, 1, 1, 1, 1] && owed() == [1, 1, 1])
        test.endLock()
        guard case .resent(session, _) = try test.open(3, limits: limits, price: 5) else {
            Issue.record("not resent")
            return
        }
        #expect(messages() == "2")
        #expect(try usage() == [2, 2, 2, 2, 2] && owed() == [2, 2, 2])
        #expect(try test.store.spending(of: "demo", now: test.now) == ["US": 10])
    }

    @Test("a send refused because of toll fraud counts nowhere")
    func steppedUp() throws {
        try test.open(1, limits: limits, price: 5)
        guard case .steppedUp = try test.open(2, binding: "other", limits: limits, price: 5, cap: 9) else {
            Issue.record("not stepped up")
            return
        }
        #expect(try usage() == [1, 1, 1, 1, 1] && owed() == [1, 1, 1])
        #expect(try test.store.spending(of: "demo", now: test.now) == ["US": 5])
    }

    @Test("a send whose session no replica confirms counts once")
    func unconfirmed() throws {
        var configuration = TestStore.configuration(test.redis)
        configuration.replicaConfirmation = ReplicaConfirmation(replicas: 1, milliseconds: 50)
        let store = TestStore.store(configuration)
        #expect(throws: StoreUnavailable.self) { try test.open(1, limits: limits, price: 5, on: store) }
        #expect(try usage() == [1, 1, 1, 1, 1] && owed() == [1, 1, 1])
        // This send finds the open session, but reports it only once a replica has it.
        #expect(throws: StoreUnavailable.self) { try test.open(2, limits: limits, price: 5, on: store) }
        #expect(try usage() == [1, 1, 1, 1, 1] && owed() == [1, 1, 1])
        #expect(try test.store.spending(of: "demo", now: test.now) == ["US": 5])
        #expect(messages() == "1")
    }

    @Test("a call executed again after its lock has expired sends no second message")
    func repeatedAfterLock() throws {
        for round in 1...2 {
            guard case .opened = try test.open(1, limits: limits) else {
                Issue.record("not opened in round \(round)")
                continue
            }
            test.endLock()
        }
        #expect(messages() == "1")
        for round in 1...2 {
            guard case .resent = try test.open(2, limits: limits) else {
                Issue.record("not resent in round \(round)")
                continue
            }
            test.endLock()
        }
        #expect(messages() == "2")
    }

    @Test(
        "a call executed again after its session has ended neither reopens the session nor sends a second message",
        arguments: [true, false],
        [1, 5]
    )
    func repeatedAfterEnd(isRight: Bool, maximum: Int) throws {
        let limits = [.messages(to: test.phone, .hour(maximum))] + limits[1...2]
        try test.open(1, limits: limits)
        for number in 1...(isRight ? 1 : 5) { try test.answer(1, isRight: isRight, request: "answer \(number)") }
        guard case .opened = try test.open(1, limits: limits) else {
            Issue.record("not opened")
            return
        }
        #expect(messages() == "1")
        #expect(try limits.map { try test.store.usage(of: $0, now: test.now).events } == [1, 1, 1])
        let answer = try test.answer(1, isRight: true, request: "later")
        switch answer {
        case .failure(.sessionEnded(used: true, _)) where isRight: break
        case .failure(.attemptsSpent) where !isRight: break
        default: Issue.record("\(answer)")
        }
    }

    @Test("a test number's ended session is not reopened either")
    func repeatedAfterEndOfTestNumber() throws {
        for round in 1...2 {
            guard case .opened = try test.open(1, codeSource: .testNumber) else {
                Issue.record("not opened in round \(round)")
                continue
            }
            if round == 1 { try test.answer(1, isRight: true, request: "first") }
        }
        guard case .failure(.sessionEnded(used: true, _)) = try test.answer(1, isRight: true, request: "later") else {
            Issue.record("not used")
            return
        }
    }

    @Test("a call executed again after another call has resent its session's message counts nothing")
    func repeatedAfterResend() throws {
        let limits = limits[0...2]
        for fill in 1...3 as ClosedRange<UInt8> {
            try test.open(fill, limits: Array(limits))
            if fill < 3 { test.endLock() }
        }
        guard case .resent(let session, _) = try test.open(2, limits: Array(limits)) else {
            Issue.record("not resent")
            return
        }
        #expect(try session == test.sessionID(1) && messages() == "3")
        #expect(try limits.map { try test.store.usage(of: $0, now: test.now).events } == [3, 3, 3])
    }

    @Test("a lock holds for a minute and exists as long as its session, even after a resend")
    func lockLife() throws {
        let lock = KeyNames.lock(test.phone, binding: "client")
        func outcome(_ fill: UInt8, lockLife: Int) throws -> VerificationOpening {
            test.redis.cli("PEXPIRE", lock, String(lockLife))
            return try test.open(fill)
        }
        try test.open(1)
        for (fill, second) in [(2, 1), (4, 2)] as [(UInt8, Int)] {
            guard case .reentered = try outcome(fill, lockLife: 570_000) else {
                Issue.record("not reentered in the lock of message \(second)")
                return
            }
            guard case .resent = try outcome(fill + 1, lockLife: 540_000) else {
                Issue.record("not resent after the lock of message \(second)")
                return
            }
            let life = try #require(Int(test.redis.cli("PTTL", lock).prefix { $0.isNumber }))
            #expect((570_000...600_000).contains(life))
        }
        #expect(messages() == "3")
    }

    @Test("sends work when Redis is full, even for an open session")
    func whenFull() throws {
        try test.open(1, limits: limits)
        test.redis.cli("CONFIG", "SET", "maxmemory", "1")
        guard case .reentered = try test.open(2, limits: limits) else {
            Issue.record("not reentered")
            return
        }
        guard case .opened = try test.open(3, binding: "other", limits: limits) else {
            Issue.record("not opened")
            return
        }
    }

    @Test("a queued message has everything a dispatcher needs, even if its locale contains line breaks")
    func content() throws {
        try test.open(1, price: 5, locale: "en\nUS")
        let message = try #require(try test.store.queuedMessages(of: "demo").first)
        #expect(try message.session == test.sessionID(1) && message.sealedNumber == [0, 0xFF, 1])
        #expect(message.project == "demo" && message.purpose == "sign-in" && message.locale == "en\nUS")
        #expect(message.queuedAt == test.now && message.expiresAt == test.now + 600_000)
        #expect(message.countedPrice == 5 && message.isCounted && message.tried.isEmpty && message.ending.isEmpty)
    }

    @Test("a correct code credits each message once, including one that no longer needs to be sent")
    func credited() throws {
        try test.open(1, limits: limits, price: 5)
        test.endLock()
        try test.open(2, limits: limits, price: 5)
        #expect(try owed() == [2, 2, 2])
        guard case .success = try test.answer(1, isRight: true, request: "r") else {
            Issue.record("not accepted")
            return
        }
        let queued = try test.store.queuedMessages(of: "demo")
        try #require(queued.count == 2)
        for message in queued {
            let isFirst = try test.store.finish(
                message,
                .ended,
                tried: [],
                entry: LedgerEntry(
                    ranges: TestStore.ranges,
                    sealedSeries: [],
                    price: 0,
                    rangeHalfLifeMilliseconds: TestStore.bounds.halfLifeMilliseconds,
                    ledgerMilliseconds: 60_000,
                    explores: false
                ),
                now: test.now,
                recordMilliseconds: 60_000
            )
            #expect(isFirst)
        }
        for kind in RangeKind.allCases {
            #expect(test.counts(of: TestStore.ranges.range(kind)).hasPrefix("2 2 "))
        }
    }

    @Test("racing sends never exceed a shared limit, and refused sends are not counted")
    func racing() throws {
        let (redis, now, limit) = (test.redis, test.now, RateLimit.messages(ofProject: "demo", .hour(5)))
        let ofNumber = RateLimit.messages(to: test.phone, .hour(100))
        let outcomes = try inParallel(12) { racer in
            let worker = try TestStore(on: redis)
            return try worker.open(UInt8(racer), binding: "client\(racer)", at: now, limits: [ofNumber, limit])
        }
        let opened = outcomes.filter { if case .opened = $0 { true } else { false } }.count
        #expect(opened == 5)
        #expect(try test.store.usage(of: limit, now: test.now).events == opened)
        #expect(try owed() == [opened, opened, opened])
        #expect(messages() == String(opened))
    }

    @Test(
        "a send whose reply is lost queues one message, and counts once everywhere",
        arguments: [RedisProxy.Ending.hang, .close]
    )
    func lostReply(ending: RedisProxy.Ending) throws {
        for scripts in 0...1 {
            let store = try interruptedStore(commandTimeout: .seconds(1))
            store.deadline = .now + .seconds(30)
            proxy.interrupt(afterScripts: scripts, ending)
            guard case .opened = try test.open(1, limits: limits, price: 5, on: store) else {
                Issue.record("not opened after \(scripts) scripts")
                continue
            }
            #expect(proxy.hasInterrupted())
            #expect(try usage() == [1, 1, 1, 1, 1] && owed() == [1, 1, 1])
            #expect(try test.store.spending(of: "demo", now: test.now) == ["US": 5])
            #expect(messages() == "1")
            test.redis.cli("FLUSHALL")
        }
    }

    @Test("if the worker dies before or after the step, the repeated send queues one message and counts once")
    func death() throws {
        for scripts in 0...1 {
            let store = try interruptedStore(commandTimeout: .seconds(30))
            // The deadline leaves no time for a second try.
            store.deadline = .now + .milliseconds(200)
            proxy.interrupt(afterScripts: scripts, .hang)
            _ = try? test.open(1, limits: limits, price: 5, on: store)
            #expect(proxy.hasInterrupted())
            switch try test.open(2, limits: limits, price: 5) {
            case .opened where scripts == 0: break
            case .reentered where scripts == 1: break
            case let outcome: Issue.record("\(outcome) after \(scripts) scripts")
            }
            #expect(messages() == "1")
            #expect(try usage() == [1, 1, 1, 1, 1] && owed() == [1, 1, 1])
            test.redis.cli("FLUSHALL")
        }
    }
}
