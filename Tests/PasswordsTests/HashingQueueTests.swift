import Synchronization
import Testing
import Threads

@testable import Passwords

@Suite struct HashingQueueTests {
    @Test("a queue has room for running and waiting jobs, and a cancelled job frees its place")
    func bound() throws {
        let queue = HashingQueue(threads: 1, maximumWaiting: 2)
        let thread = try WorkThread(name: "queue") { queue.work() }
        let begun = Semaphore()
        let mayEnd = Semaphore()
        let order = Mutex<[Int]>([])
        func job(_ number: Int) -> HashingQueue.Job { HashingQueue.Job { order.withLock { $0.append(number) } } }

        let first = HashingQueue.Job {
            begun.signal()
            mayEnd.wait()
        }
        #expect(queue.add(first))
        begun.wait()
        let withdrawn = job(2)
        #expect(queue.add(job(1)))
        #expect(queue.add(withdrawn))
        #expect(!queue.add(job(3)))
        queue.withdraw(withdrawn)
        #expect(queue.add(job(4)))
        #expect(!queue.add(job(5)))
        mayEnd.signal()

        first.isDone.wait()
        let last = job(6)
        #expect(queue.add(last))
        last.isDone.wait()
        #expect(order.withLock { $0 } == [1, 4, 6])
        queue.close()
        thread.join()
    }

    @Test("a closed queue finishes running jobs and starts no others")
    func close() throws {
        let queue = HashingQueue(threads: 2, maximumWaiting: 1)
        let threads = try (1...2).map { try WorkThread(name: "queue-\($0)") { queue.work() } }
        let begun = Semaphore()
        let mayEnd = Semaphore()
        let ended = Atomic(0)
        let job = { @Sendable in
            begun.signal()
            mayEnd.wait()
            ended.add(1, ordering: .relaxed)
        }
        for _ in 0..<2 { #expect(queue.add(HashingQueue.Job(job))) }
        for _ in 0..<2 { begun.wait() }
        #expect(queue.add(HashingQueue.Job { Issue.record("begun after the end") }))
        queue.close()
        for _ in 0..<2 { mayEnd.signal() }
        for thread in threads { thread.join() }
        #expect(ended.load(ordering: .relaxed) == 2)
    }
}
