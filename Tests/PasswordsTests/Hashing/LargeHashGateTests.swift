import Synchronization
import TestServers
import Testing
import Threads

@testable import Passwords

@Suite struct LargeHashGateTests {
    @Test("large hashes run one at a time")
    func large() throws {
        let turns = LargeHashGate()
        let running = Atomic(0)
        let results = try inParallel(8) { _ in
            try turns.run(memoryBytes: 33 << 20) {
                let before = running.add(1, ordering: .sequentiallyConsistent).oldValue
                for _ in 0..<1000 { _ = running.load(ordering: .sequentiallyConsistent) }
                running.subtract(1, ordering: .sequentiallyConsistent)
                return before
            }
        }
        #expect(results == [Int](repeating: 0, count: 8))
    }

    @Test("small hashes run in parallel with each other and with a large one")
    func small() throws {
        let turns = LargeHashGate()
        let arrivals = [Semaphore(), Semaphore(), Semaphore()]
        let met = try inParallel(3) { number in
            try turns.run(memoryBytes: number == 0 ? 33 << 20 : 32 << 20) {
                for _ in 0..<2 { arrivals[number].signal() }
                return [1, 2].allSatisfy { arrivals[(number + $0) % 3].wait(atMost: .seconds(30)) }
            }
        }
        #expect(met == [true, true, true])
    }

    @Test("a failed hash releases its slot")
    func failure() throws {
        let turns = LargeHashGate()
        for _ in 0..<2 {
            #expect(throws: OutOfMemory.self) {
                try turns.run(memoryBytes: 33 << 20) { () throws(OutOfMemory) in throw OutOfMemory() }
            }
        }
    }
}
