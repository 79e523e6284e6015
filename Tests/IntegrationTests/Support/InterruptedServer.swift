import Glibc
import Processes
import Synchronization
import TestServers

/// A server whose worker can be killed between any two steps of a request. The steps are the request's scripts in
/// Redis, which a proxy counts.
final class InterruptedServer: Sendable {
    let server: RunningServer
    private let proxy: RedisProxy
    private let counter = Atomic<Int>(0)
    private let commandTimeout: Duration

    /// Starts a server. `repeatsRequests` is whether nginx repeats a request at the new worker if the old one died.
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
            // A code of an earlier step stays valid if the next step begins before it is verified.
            "PROJECT_DEMO_DIALTONE_TOTP_ADJACENT_INTERVALS": "10",
        ]
        server = try RunningServer(
            workers: 1,
            settings: standard.merging(settings) { _, chosen in chosen },
            redis: redis,
            repeatsRequests: repeatsRequests
        )
    }

    /// Sends a request, and kills its worker after this number of steps. Another worker replaces it immediately.
    /// `between` runs after the steps and before the worker's death; the worker's other thread serves its requests.
    /// - Returns: the response, and whether the worker was killed, which it is not if the request has fewer steps.
    func interrupt(
        afterSteps steps: Int,
        between: @escaping @Sendable () -> Void = {},
        _ request: () throws -> HTTPAnswer
    ) throws -> (answer: HTTPAnswer, isInterrupted: Bool) {
        let server = server
        let isReplaced = Atomic(false)
        proxy.interrupt(afterScripts: steps) {
            between()
            for worker in server.runningWorkers { worker.stop(SIGKILL) }
            try? server.startWorker()
            isReplaced.store(true, ordering: .relaxed)
        }
        let answer = try request()
        guard proxy.hasInterrupted() else { return (answer, false) }
        // nginx responds when the request's connection closes. The worker's idle connections may close later, and the
        // next request would fail on them.
        guard eventually({ isReplaced.load(ordering: .relaxed) }) else {
            throw ServerFailure(description: "the worker was not replaced")
        }
        return (answer, true)
    }

    /// Sends a request, and withholds Redis's reply to the last of this number of commands until the worker closes the
    /// connection. With 0, not even the first command is executed.
    /// - Returns: the response, and whether a reply was withheld, which it is not if the request has fewer commands.
    func loseReply(
        afterCommands commands: Int,
        _ request: () throws -> HTTPAnswer
    ) throws -> (answer: HTTPAnswer, isLost: Bool) {
        proxy.interrupt(afterCommands: commands, .hang)
        let answer = try request()
        return (answer, proxy.hasInterrupted())
    }

    /// Sends a request, and kills Redis after it has executed this number of commands, before the last reply. Redis
    /// restarts once the worker has tried to connect to it.
    /// - Returns: the response, and whether Redis was killed, which it is not if the request has fewer commands.
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

    /// Sends a request while Redis is paused. Redis resumes once the worker has replaced its connection.
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

    /// The number of connections that workers have made to Redis.
    var connectionCount: Int { proxy.connectionCount }

    /// Sends a request, and halts its worker immediately before Redis's reply to this number of steps, until the
    /// command timeout has passed.
    /// - Returns: the response, the number of steps, and whether the worker was halted.
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
            // The worker sent its command before it was halted, so its timeout has passed when the same time has passed
            // here.
            _ = eventually { haltedAt.withLock { $0.map { .now > $0 + timeout } ?? false } }
            worker?.send(SIGCONT)
            return nil
        }
        guard let answer = answers[0] else { throw ServerFailure(description: "no answer") }
        return (answer, proxy.scriptCount - before, haltedAt.withLock { $0 } != nil)
    }

    /// Returns a fictional number that no test has used.
    func newNumber() -> String {
        let number = counter.add(1, ordering: .relaxed).newValue
        precondition(number < 10_000, "there are no more fictional numbers")
        return "+1650555" + String(String(10_000 + number).dropFirst())
    }

    /// Returns an address that no test has used.
    func newEmail() -> String { SecondFactorUser.freshEmail() }
}
