import TestServers
import Testing
import Threads

@Suite struct ActiveThreadsTests {
    /// Threads of a group, each of which reports that it is active, waits for permission to end, and reports its end.
    private final class Members: Sendable {
        let group: ActiveThreads
        let isActive = Semaphore()
        let mayEnd = Semaphore()

        init(maximum: Int) {
            group = ActiveThreads(maximum: maximum)
        }

        func start(_ count: Int) throws -> [WorkThread] {
            try (0..<count).map { _ in
                try WorkThread(name: "member") { [self] in
                    group.run {
                        isActive.signal()
                        mayEnd.wait()
                    }
                }
            }
        }
    }

    private let long = Duration.seconds(30)
    /// Usually long enough to notice what should not happen.
    private let moment = Duration.milliseconds(50)

    @Test("no more than the maximum of threads is active, and each that ends is replaced", arguments: [1, 2, 5])
    func maximum(maximum: Int) throws {
        let members = Members(maximum: maximum)
        let threads = try members.start(maximum + 2)
        for _ in 0..<maximum { #expect(members.isActive.wait(atMost: long)) }
        for _ in 0..<2 {
            #expect(!members.isActive.wait(atMost: moment))
            members.mayEnd.signal()
            #expect(members.isActive.wait(atMost: long))
        }
        for _ in 0..<maximum { members.mayEnd.signal() }
        for thread in threads { thread.join() }
    }

    @Test("a thread that waits for another to become active gives up its slot")
    func steppingAside() throws {
        let mayEnd = Semaphore()
        let isActive = try anotherThreadIsActive(
            during: { _ = ActiveThreads.stepAside { mayEnd.wait(atMost: .seconds(30)) } },
            ended: { mayEnd.signal() }
        )
        #expect(isActive)
    }

    @Test("a wait that does not give up the slot keeps it")
    func waitingInPlace() throws {
        #expect(try !anotherThreadIsActive(during: { _ = Semaphore().wait(atMost: .milliseconds(50)) }))
    }

    @Test("a thread that sleeps gives up its slot")
    func sleeping() throws {
        let hasRun = Semaphore()
        let isActive = try anotherThreadIsActive(
            during: {
                let end = ContinuousClock.now + .seconds(30)
                while !hasRun.wait(atMost: .zero), ContinuousClock.now < end {
                    ActiveThreads.sleep(for: .milliseconds(1))
                }
            },
            ended: { hasRun.signal() }
        )
        #expect(isActive)
    }

    @Test("a sleep lasts for its time, and ends at once if the time is not positive")
    func sleepTime() {
        let clock = ContinuousClock()
        let slept = clock.measure { ActiveThreads.sleep(for: moment) }
        #expect(slept >= moment)
        let none = clock.measure {
            ActiveThreads.sleep(for: .zero)
            ActiveThreads.sleep(for: .seconds(-3600))
        }
        #expect(none < long)
    }

    @Test("a nested wait makes room for one thread, not two")
    func nested() throws {
        let members = Members(maximum: 1)
        let waits = Semaphore()
        let mayContinue = Semaphore()
        let first = try WorkThread(name: "first") {
            members.group.run {
                waits.signal()
                ActiveThreads.stepAside { ActiveThreads.stepAside { mayContinue.wait() } }
            }
        }
        waits.wait()
        let threads = try members.start(2)
        #expect(members.isActive.wait(atMost: long))
        #expect(!members.isActive.wait(atMost: moment))
        mayContinue.signal()
        first.join()
        for _ in threads { members.mayEnd.signal() }
        for thread in threads { thread.join() }
    }

    @Test("a thread that returns continues immediately, and rests after its work if too many are active")
    func comingBack() throws {
        let members = Members(maximum: 1)
        let waits = Semaphore()
        let mayContinue = Semaphore()
        let isBack = Semaphore()
        let hasRested = Semaphore()
        let first = try WorkThread(name: "first") {
            members.group.run {
                waits.signal()
                ActiveThreads.stepAside { mayContinue.wait() }
                isBack.signal()
                members.group.restIfCrowded()
                hasRested.signal()
            }
        }
        waits.wait()
        let threads = try members.start(1)
        #expect(members.isActive.wait(atMost: long))
        mayContinue.signal()
        #expect(isBack.wait(atMost: long))
        #expect(!hasRested.wait(atMost: moment))
        members.mayEnd.signal()
        #expect(hasRested.wait(atMost: long))
        first.join()
        for thread in threads { thread.join() }
    }

    @Test("no thread rests in a closed group")
    func closed() throws {
        let members = Members(maximum: 1)
        let threads = try members.start(3)
        #expect(members.isActive.wait(atMost: long))
        members.group.close()
        for _ in 0..<2 { #expect(members.isActive.wait(atMost: long)) }
        let late = try members.start(1)
        #expect(members.isActive.wait(atMost: long))
        for _ in 0..<4 { members.mayEnd.signal() }
        for thread in threads + late { thread.join() }
    }

    @Test("a thread without a group only waits, and errors of its wait are rethrown")
    func noGroup() {
        struct Broken: Error {}
        #expect(ActiveThreads.stepAside { 7 } == 7)
        #expect(throws: Broken.self) { try ActiveThreads.stepAside { throw Broken() } }
    }

    @Test("after many random waits and rests, the bound is unchanged")
    func random() throws {
        let members = Members(maximum: 2)
        let busy = try (0..<8).map { seed in
            try WorkThread(name: "busy") {
                var random = SplitMix(seed: UInt64(seed))
                members.group.run {
                    for _ in 0..<2_000 {
                        if Bool.random(using: &random) { ActiveThreads.stepAside {} }
                        members.group.restIfCrowded()
                    }
                }
            }
        }
        for thread in busy { thread.join() }
        let threads = try members.start(3)
        for _ in 0..<2 { #expect(members.isActive.wait(atMost: long)) }
        #expect(!members.isActive.wait(atMost: moment))
        for _ in threads { members.mayEnd.signal() }
        for thread in threads { thread.join() }
    }
}
