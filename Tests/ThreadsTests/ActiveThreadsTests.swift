import TestServers
import Testing
import Threads

@Suite struct ActiveThreadsTests {
    /// Threads of a group, each of which tells that it is active, waits until it may end, and tells that it ends.
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
    /// Long enough to see what should not happen, mostly.
    private let moment = Duration.milliseconds(50)

    @Test("so many are active, and another one for each that ends", arguments: [1, 2, 5])
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

    @Test("one that waits for another to become active steps aside for it")
    func steppingAside() throws {
        let mayEnd = Semaphore()
        let isActive = try anotherThreadIsActive(
            during: { _ = ActiveThreads.stepAside { mayEnd.wait(atMost: .seconds(30)) } },
            ended: { mayEnd.signal() }
        )
        #expect(isActive)
    }

    @Test("a wait that does not step aside keeps its place")
    func waitingInPlace() throws {
        #expect(try !anotherThreadIsActive(during: { _ = Semaphore().wait(atMost: .milliseconds(50)) }))
    }

    @Test("a wait within a wait makes room for one thread, not two")
    func nested() throws {
        let members = Members(maximum: 1)
        let waits = Semaphore()
        let mayGoOn = Semaphore()
        let first = try WorkThread(name: "first") {
            members.group.run {
                waits.signal()
                ActiveThreads.stepAside { ActiveThreads.stepAside { mayGoOn.wait() } }
            }
        }
        waits.wait()
        let threads = try members.start(2)
        #expect(members.isActive.wait(atMost: long))
        #expect(!members.isActive.wait(atMost: moment))
        mayGoOn.signal()
        first.join()
        for _ in threads { members.mayEnd.signal() }
        for thread in threads { thread.join() }
    }

    @Test("who comes back goes on at once, and rests after its work while there is one too many")
    func comingBack() throws {
        let members = Members(maximum: 1)
        let waits = Semaphore()
        let mayGoOn = Semaphore()
        let isBack = Semaphore()
        let hasRested = Semaphore()
        let first = try WorkThread(name: "first") {
            members.group.run {
                waits.signal()
                ActiveThreads.stepAside { mayGoOn.wait() }
                isBack.signal()
                members.group.restIfCrowded()
                hasRested.signal()
            }
        }
        waits.wait()
        let threads = try members.start(1)
        #expect(members.isActive.wait(atMost: long))
        mayGoOn.signal()
        #expect(isBack.wait(atMost: long))
        #expect(!hasRested.wait(atMost: moment))
        members.mayEnd.signal()
        #expect(hasRested.wait(atMost: long))
        first.join()
        for thread in threads { thread.join() }
    }

    @Test("nobody rests in a closed group")
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

    @Test("a thread of no group just waits, and what its wait throws comes out")
    func noGroup() {
        struct Broken: Error {}
        #expect(ActiveThreads.stepAside { 7 } == 7)
        #expect(throws: Broken.self) { try ActiveThreads.stepAside { throw Broken() } }
    }

    @Test("after many have stepped aside and rested at random, the bound is what it was")
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
