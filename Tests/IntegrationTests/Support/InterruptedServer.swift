import Glibc
import Processes
import Synchronization
import TestServers

/// A server whose worker can be killed between any two steps of a request: what it does in Redis are scripts, and a proxy counts
/// them.
final class InterruptedServer: Sendable {
    let server: RunningServer
    private let proxy: RedisProxy
    private let counter = Atomic<Int>(0)

    /// `repeatsRequests`: whether nginx gives a request to the new worker when the old one died over it.
    init(repeatsRequests: Bool) throws {
        let redis = try RedisServer.start()
        proxy = try RedisProxy(to: redis)
        server = try RunningServer(
            workers: 1,
            settings: ["REDIS_ADDRESS": "unix:\(proxy.socketPath)", "THREADS": "2"],
            redis: redis,
            repeatsRequests: repeatsRequests
        )
    }

    /// Sends a request, and kills the worker over it when so many of its steps are done. Another worker takes its place
    /// at once. What is to happen `between` the steps and the worker's death is done by the worker's other thread.
    /// - Returns: the answer, and whether the worker was killed: not, where the request has fewer steps.
    func interrupt(
        afterSteps steps: Int,
        between: @escaping @Sendable () -> Void = {},
        _ request: () throws -> HTTPAnswer
    ) throws -> (answer: HTTPAnswer, isInterrupted: Bool) {
        let server = server
        proxy.interrupt(afterScripts: steps) {
            between()
            for worker in server.runningWorkers { worker.stop(SIGKILL) }
            try? server.startWorker()
        }
        let answer = try request()
        return (answer, proxy.hasInterrupted())
    }

    /// Sends a request, and keeps Redis's answer back when so many of its steps are done, for longer than the worker
    /// waits for it. With 0 not even the first step is done.
    /// - Returns: the answer, and whether one was kept back: not, if the request has fewer steps.
    func loseAnswer(
        afterSteps steps: Int,
        _ request: () throws -> HTTPAnswer
    ) throws -> (answer: HTTPAnswer, isLost: Bool) {
        proxy.interrupt(afterScripts: steps, .hang)
        let answer = try request()
        return (answer, proxy.hasInterrupted())
    }

    /// Sends a request, and halts its worker just before it gets Redis's answer to so many steps, for longer than it
    /// waits for answers.
    /// - Returns: the answer, how many steps it took, and whether the worker was halted.
    func halt(
        afterSteps steps: Int,
        _ request: @escaping @Sendable () throws -> HTTPAnswer
    ) throws -> (answer: HTTPAnswer, steps: Int, isHalted: Bool) {
        let before = proxy.scriptCount
        let worker = server.runningWorkers.first
        let isHalted = Mutex(false)
        proxy.interrupt(afterScripts: steps, .goOn) {
            worker?.send(SIGSTOP)
            isHalted.withLock { $0 = true }
        }
        let answers = try inParallel(2) { racer -> HTTPAnswer? in
            if racer == 0 { return try request() }
            if eventually({ isHalted.withLock { $0 } }) { usleep(1_500_000) }
            worker?.send(SIGCONT)
            return nil
        }
        guard let answer = answers[0] else { throw ServerFailure(description: "no answer") }
        return (answer, proxy.scriptCount - before, isHalted.withLock { $0 })
    }

    /// A fictional number that no test had before.
    func newNumber() -> String {
        let number = counter.add(1, ordering: .relaxed).newValue
        precondition(number < 10_000, "there are no more fictional numbers")
        return "+1650555" + String(String(10_000 + number).dropFirst())
    }

    /// An address that no test had before.
    func newEmail() -> String { "user\(counter.add(1, ordering: .relaxed).newValue)@example.com" }
}
