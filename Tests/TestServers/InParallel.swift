internal import Glibc
internal import Synchronization

/// Runs `work` on `count` threads that start together, and returns the results in the order of the threads' numbers.
///
/// Real threads, because `work` blocks, and Swift's thread pool has no more threads than the machine has cores.
public func inParallel<Value: Sendable>(
    _ count: Int,
    _ work: @escaping @Sendable (_ number: Int) throws -> Value
) throws -> [Value] {
    let race = Race(count: count, work: work)
    var threads: [pthread_t] = []
    for number in 0..<count {
        // The threads that have started wait for the others, so this function cannot throw here.
        guard let thread = startPthread({ race.run(number) }) else { preconditionFailure("no thread") }
        threads.append(thread)
    }
    for thread in threads { pthread_join(thread, nil) }
    return try race.results()
}

private final class Race<Value: Sendable>: Sendable {
    private let finished: Mutex<[Int: Result<Value, any Error>]> = Mutex([:])
    private let waiting: Atomic<Int>
    private let count: Int
    private let work: @Sendable (Int) throws -> Value

    init(count: Int, work: @escaping @Sendable (Int) throws -> Value) {
        self.count = count
        self.work = work
        waiting = Atomic(count)
    }

    func run(_ number: Int) {
        waiting.subtract(1, ordering: .sequentiallyConsistent)
        while waiting.load(ordering: .sequentiallyConsistent) > 0 { sched_yield() }
        let result = Result { try work(number) }
        finished.withLock { $0[number] = result }
    }

    func results() throws -> [Value] {
        let results = finished.withLock { $0 }
        return try (0..<count).compactMap { try results[$0]?.get() }
    }
}
