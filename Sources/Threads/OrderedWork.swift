internal import Synchronization

/// Has several threads work on pieces side by side, and takes what they make in the order of the pieces.
///
/// `next` and `take` run on the calling thread, so what they use need not be safe for threads. At most two pieces a thread are on
/// their way, so memory stays the same however many there are.
///
/// - Parameters:
///   - count: how many threads work.
///   - next: the next piece; nil after the last one.
///   - worker: makes what one thread needs, on that thread, and returns its work on a piece.
///   - take: takes what was made.
/// - Throws: what one of them throws, first in the order of the pieces, or ``ThreadError``.
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
                while let job = queue.next() { job.finish(Result { try work(job.piece) }) }
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
        try take(waiting.removeFirst().result())
    }
}

/// What is to be done, first in, first out.
private final class PieceQueue<Piece: Sendable, Product: Sendable>: Sendable {
    final class Job: Sendable {
        let piece: Piece
        private let product = Mutex<Result<Product, any Error>?>(nil)
        private let isDone = Semaphore()

        init(_ piece: Piece) {
            self.piece = piece
        }

        func finish(_ result: Result<Product, any Error>) {
            product.withLock { $0 = result }
            isDone.signal()
        }

        func result() throws -> Product {
            isDone.wait()
            guard let result = product.withLock({ $0 }) else {
                preconditionFailure("a job that is done has a result")
            }
            return try result.get()
        }
    }

    private let jobs = Mutex<(waiting: [Job], isClosed: Bool)>(([], false))
    /// Signalled for each job, and for each thread at the end.
    private let hasNews = Semaphore()

    func add(_ piece: Piece) -> Job {
        let job = Job(piece)
        jobs.withLock { $0.waiting.append(job) }
        hasNews.signal()
        return job
    }

    /// The next job, when there is one; nil when no more is to be done.
    func next() -> Job? {
        hasNews.wait()
        return jobs.withLock { $0.isClosed ? nil : $0.waiting.removeFirst() }
    }

    func close(threads: Int) {
        jobs.withLock { $0.isClosed = true }
        for _ in 0..<threads { hasNews.signal() }
    }
}
