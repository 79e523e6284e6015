import Glibc
import Processes
import TestServers

/// A real worker in production mode, with its own Redis.
final class Worker: Sendable {
    /// The only API key.
    static let apiKey = "AIzaSyD-0123456789_test"

    private let redis: RedisServer
    private let folder: TemporaryFolder
    private let child: ChildProcess

    /// Starts a worker at a socket. `settings` are additional settings, named without `DIALTONE_`.
    init(at socket: String, settings: [String: String] = [:]) throws {
        redis = try RedisServer.start()
        folder = try TemporaryFolder()
        try mustSucceed(Checkout.program, ["keys", "generate", "--output", folder.path(of: "keys.json")])
        try folder.write(
            """
            DIALTONE_PROJECTS=demo
            DIALTONE_PROJECT_DEMO_API_KEYS=\(Self.apiKey)
            DIALTONE_KEY_FILE=\(folder.path(of: "keys.json"))
            DIALTONE_LISTEN=unix:\(socket)
            DIALTONE_DRAIN_SECONDS=0
            DIALTONE_REDIS_ADDRESS=unix:\(redis.socketPath)
            DIALTONE_REDIS_CONNECT_TIMEOUT_MILLISECONDS=4000
            DIALTONE_REDIS_COMMAND_TIMEOUT_MILLISECONDS=4000

            """ + settings.map { "DIALTONE_\($0.key)=\($0.value)\n" }.joined(),
            to: "dialtone.conf"
        )
        try mustSucceed(Checkout.program, ["redis", "adopt", "--config", folder.path(of: "dialtone.conf")])
        child = try ChildProcess.start(
            Checkout.program,
            ["worker", "--config", folder.path(of: "dialtone.conf")],
            output: .discard,
            errors: .file(path: folder.path(of: "worker.log"))
        )
        let folder = folder
        guard eventually({ folder.read("worker.log").contains("serving") }) else {
            child.stop()
            throw ServerFailure(description: "the worker did not start: \(folder.read("worker.log"))")
        }
    }

    deinit { child.stop() }

    /// Stops the worker's Redis.
    func stopRedis() { redis.stop() }

    /// Pauses the worker (SIGSTOP, SIGCONT).
    func pause() { halt(child.processID) }
    func resume() { child.send(SIGCONT) }

    /// Everything that the worker has logged.
    var log: String { folder.read("worker.log") }
}
