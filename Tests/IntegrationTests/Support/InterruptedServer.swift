import Glibc
import Processes
import Synchronization
import TestServers

/// A server whose worker can be killed between any two steps of a request: what it does in Redis are scripts, and a
/// proxy counts them.
final class InterruptedServer: Sendable {
    let server: RunningServer
    private let proxy: RedisProxy
    private let counter = Atomic<Int>(0)
    private let commandTimeout: Duration

    /// `repeatsRequests`: whether nginx gives a request to the new worker when the old one died over it.
    init(
        repeatsRequests: Bool,
        commandTimeout: Duration = .seconds(4),
        settings: [String: String] = [:],
        isPersistent: Bool = false
    ) throws {
        self.commandTimeout = commandTimeout
        let redis = try RedisServer.start(isPersistent: isPersistent)
        proxy = try RedisProxy(to: redis)
        let standard = [
            "REDIS_ADDRESS": "unix:\(proxy.socketPath)", "THREADS": "2",
            "REDIS_COMMAND_TIMEOUT_MILLISECONDS": String(Int(commandTimeout / .milliseconds(1))),
            // A code of an earlier step stays valid when the next step begins before it is verified.
            "PROJECT_DEMO_DIALTONE_TOTP_ADJACENT_INTERVALS": "10",
        ]
        server = try RunningServer(
            workers: 1,
            settings: standard.merging(settings) { _, chosen in chosen },
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

    /// Sends a request, and keeps Redis's reply to its last one of so many commands back until the worker gives the
    /// connection up. With 0 not even the first command is executed.
    /// - Returns: the answer, and whether a reply was kept back: not, if the request has fewer commands.
    func loseReply(
        afterCommands commands: Int,
        _ request: () throws -> HTTPAnswer
    ) throws -> (answer: HTTPAnswer, isLost: Bool) {
        proxy.interrupt(afterCommands: commands, .hang)
        let answer = try request()
        return (answer, proxy.hasInterrupted())
    }

    /// Sends a request, and kills Redis when its last one of so many commands has been executed, before the reply.
    /// Redis begins again when the worker has tried to connect to it.
    /// - Returns: the answer, and whether Redis was killed: not, if the request has fewer commands.
    func restartRedis(
        afterCommands commands: Int,
        _ request: @escaping @Sendable () throws -> HTTPAnswer
    ) throws -> (answer: HTTPAnswer, isRestarted: Bool) {
        let redis = server.redis
        let connections = Mutex<Int?>(nil)
        proxy.interrupt(afterCommands: commands, .close) {
            redis.kill()
            connections.withLock { $0 = self.connectionCount }
        }
        let isAnswered = Atomic(false)
        let answers = try inParallel(2) { racer -> HTTPAnswer? in
            if racer == 0 {
                defer { isAnswered.store(true, ordering: .relaxed) }
                return try request()
            }
            let isAwaited = eventually {
                let hasTried = connections.withLock { $0.map { self.connectionCount > $0 } ?? false }
                return hasTried || isAnswered.load(ordering: .relaxed)
            }
            if isAwaited, connections.withLock({ $0 != nil }) { try redis.restart() }
            return nil
        }
        guard let answer = answers[0] else { throw ServerFailure(description: "no answer") }
        return (answer, proxy.hasInterrupted())
    }

    /// Sends a request while Redis is halted. Redis goes on when the worker has given a connection up and made another.
    func haltRedis(_ request: @escaping @Sendable () throws -> HTTPAnswer) throws -> HTTPAnswer {
        let before = connectionCount
        server.redis.pause()
        let answers = try inParallel(2) { racer -> HTTPAnswer? in
            if racer == 0 { return try request() }
            defer { self.server.redis.resume() }
            guard eventually({ self.connectionCount > before }) else {
                throw ServerFailure(description: "the worker made no other connection")
            }
            return nil
        }
        guard let answer = answers[0] else { throw ServerFailure(description: "no answer") }
        return answer
    }

    /// How many connections to Redis workers have made.
    var connectionCount: Int { proxy.connectionCount }

    /// Sends a request, and halts its worker just before it gets Redis's answer to so many steps, until it has waited
    /// for that answer as long as it may.
    /// - Returns: the answer, how many steps it took, and whether the worker was halted.
    func halt(
        afterSteps steps: Int,
        _ request: @escaping @Sendable () throws -> HTTPAnswer
    ) throws -> (answer: HTTPAnswer, steps: Int, isHalted: Bool) {
        let before = proxy.scriptCount
        let worker = server.runningWorkers.first
        let haltedAt = Mutex<ContinuousClock.Instant?>(nil)
        proxy.interrupt(afterScripts: steps, .goOn) {
            if let worker { TestServers.halt(worker.processID) }
            haltedAt.withLock { $0 = .now }
        }
        let timeout = commandTimeout
        let answers = try inParallel(2) { racer -> HTTPAnswer? in
            if racer == 0 { return try request() }
            // The worker sent its command before, so its time is over when as much has passed here.
            _ = eventually { haltedAt.withLock { $0.map { .now > $0 + timeout } ?? false } }
            worker?.send(SIGCONT)
            return nil
        }
        guard let answer = answers[0] else { throw ServerFailure(description: "no answer") }
        return (answer, proxy.scriptCount - before, haltedAt.withLock { $0 } != nil)
    }

    /// A fictional number that no test had before.
    func newNumber() -> String {
        let number = counter.add(1, ordering: .relaxed).newValue
        precondition(number < 10_000, "there are no more fictional numbers")
        return "+1650555" + String(String(10_000 + number).dropFirst())
    }

    /// An address that no test had before.
    func newEmail() -> String { SecondFactorUser.freshEmail() }
}
