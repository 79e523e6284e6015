import Synchronization
import Testing
import Threads

@testable import Passwords

/// Priorities when more passwords are to be hashed than may wait.
@Suite struct HashingShareTests {
    /// A queue whose single thread is busy until it is released.
    private final class BusyQueue: Sendable {
        let queue: HashingQueue
        let done = Mutex<[String]>([])
        private let mayEnd = Semaphore()
        private let first: HashingQueue.Job
        private let thread: WorkThread

        init(maximumWaiting: Int) throws {
            let queue = HashingQueue(threads: 1, maximumWaiting: maximumWaiting)
            let (begun, mayEnd) = (Semaphore(), self.mayEnd)
            thread = try WorkThread(name: "queue") { queue.work() }
            self.queue = queue
            first = HashingQueue.Job {
                begun.signal()
                mayEnd.wait()
            }
            #expect(queue.add(first))
            begun.wait()
        }

        func add(_ name: String, _ share: HashingShare) -> Bool {
            queue.add(HashingQueue.Job(for: share) { self.done.withLock { $0.append(name) } })
        }

        /// Returns the names of the finished jobs, in order.
        func finish() -> [String] {
            mayEnd.signal()
            let last = HashingQueue.Job(for: .signUp) {}
            first.isDone.wait()
            while !queue.add(last) {}
            last.isDone.wait()
            queue.close()
            thread.join()
            return done.withLock { $0 }
        }
    }

    @Test("known clients displace unknown ones, sign-ins displace sign-ups, and they are hashed first")
    func places() throws {
        let queue = try BusyQueue(maximumWaiting: 3)
        for number in 1...3 { #expect(queue.add("sign-up \(number)", .signUp)) }
        #expect(!queue.add("sign-up 4", .signUp))
        #expect(queue.add("sign-in 1", .signIn))
        #expect(queue.add("known 1", .known))
        #expect(queue.add("known 2", .known))
        #expect(!queue.add("sign-in 2", .signIn))
        #expect(queue.add("known 3", .known))
        #expect(!queue.add("known 4", .known))
        #expect(queue.finish() == ["known 1", "known 2", "known 3"])
    }

    @Test("the queue is open to all until a caller with a higher share arrives")
    func order() throws {
        let queue = try BusyQueue(maximumWaiting: 4)
        #expect(queue.add("sign-up 1", .signUp) && queue.add("sign-in 1", .signIn))
        #expect(queue.add("sign-up 2", .signUp) && queue.add("known", .known))
        #expect(queue.finish() == ["known", "sign-in 1", "sign-up 1", "sign-up 2"])
    }

    @Test("a caller that loses its place is notified immediately")
    func notified() throws {
        let queue = try BusyQueue(maximumWaiting: 1)
        let stranger = HashingQueue.Job(for: .signUp) { Issue.record("it was done") }
        #expect(queue.queue.add(stranger))
        #expect(queue.add("known", .known))
        #expect(stranger.isDone.wait(atMost: .seconds(30)))
        #expect(queue.finish() == ["known"])
    }
}
