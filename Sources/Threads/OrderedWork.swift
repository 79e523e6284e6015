internal import Glibc
internal import Synchronization

/// Processes items on several threads, and delivers the results in the order of the items.
///
/// `next` and `take` run on the calling thread, so they need not be thread-safe. At most two items per thread are in
/// progress, so memory use does not grow with the number of items.
///
/// - Parameters:
///   - count: the number of threads.
///   - next: returns the next item; nil after the last one.
///   - worker: prepares one thread, on that thread, and returns the function that processes an item.
///   - take: receives each result.
/// - Throws: the first error of these functions, in the order of the items, or ``ThreadError``.
package func workInOrder<Piece: Sendable, Product: Sendable>(
    threads count: Int,
    next: () throws -> Piece?,
    worker: @escaping @Sendable () -> (Piece) throws -> Product,
    take: (Product) throws -> Void
) throws {
    let queue = PieceQueue<Piece, Product>()
    var threads: [WorkThread] = []
    defer {
        queue.close(threads: threads.count)
        for thread in threads { thread.join() }
    }
    for number in 1...count {
        threads.append(
            try WorkThread(name: "work-\(number)") {
                let work = worker()
                while let job = queue.next() { job.product.fulfill(Result { try work(job.piece) }) }
            }
        )
    }
    var waiting: [PieceQueue<Piece, Product>.Job] = []
    var isOver = false
    while true {
        while !isOver, waiting.count < 2 * count {
            guard let piece = try next() else {
                isOver = true
                break
            }
            waiting.append(queue.add(piece))
        }
        if waiting.isEmpty { return }
        try take(waiting.removeFirst().product.wait().get())
    }
}

/// A FIFO queue of jobs.
private final class PieceQueue<Piece: Sendable, Product: Sendable>: Sendable {
    final class Job: Sendable {
        let piece: Piece
        let product = Promise<Result<Product, any Error>>()

        init(_ piece: Piece) {
            self.piece = piece
        }
    }

    private let jobs = Mutex<(waiting: [Job], isClosed: Bool)>(([], false))
    /// Signaled once per job, and once per thread at the end.
    private let hasNews = Semaphore()

    func add(_ piece: Piece) -> Job {
        let job = Job(piece)
        jobs.withLock { $0.waiting.append(job) }
        hasNews.signal()
        return job
    }

    /// Waits for the next job and returns it; nil when the queue is closed.
    func next() -> Job? {
        hasNews.wait()
        return jobs.withLock { $0.isClosed ? nil : $0.waiting.removeFirst() }
    }

    func close(threads: Int) {
        jobs.withLock { $0.isClosed = true }
        for _ in 0..<threads { hasNews.signal() }
    }
}

/// The machine's processors.
package enum Processors {
    /// The number of online processors, at least one.
    package static var count: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
