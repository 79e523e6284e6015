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

    /// Sends a request, and kills the worker over it when so many of its steps are done. Another worker takes its place at once. What is to
    /// happen `between` the steps and the worker's death is done by the worker's other thread.
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

    /// A fictional number that no test had before.
    func newNumber() -> String {
        let number = counter.add(1, ordering: .relaxed).newValue
        precondition(number < 10_000, "there are no more fictional numbers")
        return "+1650555" + String(String(10_000 + number).dropFirst())
    }

    /// An address that no test had before.
    func newEmail() -> String { "user\(counter.add(1, ordering: .relaxed).newValue)@example.com" }
}
