import APNsStandIn
import Encodings
import FastCGI
import Glibc
import PhoneAuth
import Processes
import Synchronization
import TestServers

@testable import dialtone

/// A complete server for one test: a real Redis, worker processes on one socket, and a real nginx with the shipped
/// files.
///
/// It stops when the value is released.
final class RunningServer: Sendable {
    enum Mode: String {
        case development, production
    }

    /// The API key of the project `demo-dialtone`; in production mode `other-key` is that of the project `other`.
    static let apiKey = "demo-key"
    /// Further headers of the client's requests.
    @TaskLocal static var clientHeaders: [(String, String)] = []

    let redis: RedisServer
    let port: UInt16
    let tlsPort: UInt16
    let folder: TemporaryFolder
    private let listener: Listener
    private let nginx: ChildProcess
    private let workers = Mutex<[ChildProcess]>([])
    private let dispatchers = Mutex<[ChildProcess]>([])

    /// Starts everything.
    ///
    /// `redis` is a running server to use instead of a new one. As in the shipped configuration, nginx
    /// `repeatsRequests` whose worker died. With an `identity`, it also serves TLS.
    init(
        _ mode: Mode = .development,
        workers count: Int = 2,
        settings: [String: String] = [:],
        isPersistent: Bool = false,
        redisSettings: [String] = [],
        redis: RedisServer? = nil,
        repeatsRequests: Bool = true,
        identity: TestAuthority.Identity? = nil
    ) throws {
        self.redis = try redis ?? RedisServer.start(isPersistent: isPersistent, settings: redisSettings)
        port = FreePort.next()
        tlsPort = FreePort.next()
        folder = try TemporaryFolder(prefix: "dialtone-server")
        let socket = folder.path(of: "worker.sock")
        listener = try Listener(.unix(path: socket))
        try Self.writeFiles(folder, mode, settings, self.redis, port, socket)
        if !repeatsRequests { try Self.endRepetition(folder) }
        if let identity { try Self.serveTLS(folder, tlsPort, identity) }
        try folder.write(
            String(decoding: KeyFile.make(signingKey: Self.signingKey.get(), .system), as: UTF8.self),
            to: "keys.json"
        )
        try Self.adoptRedis(folder)
        nginx = try ChildProcess.start(
            "nginx",
            ["-p", folder.path, "-c", folder.path(of: "nginx.conf"), "-e", "stderr"],
            output: .file(path: folder.path(of: "nginx.log")),
            errors: .file(path: folder.path(of: "nginx.log"))
        )
        for _ in 0..<count { try startWorker() }
        // The workers share a listener, so that an answer shows only that one of them is ready.
        let client = HTTPClient(port: port)
        let isOver = eventually {
            runningWorkers.isEmpty
                || log.split(separator: "\"serving\"").count > runningWorkers.count
                    && (try? client.request("GET", "/readyz").status) == 200
        }
        guard isOver, !runningWorkers.isEmpty else {
            throw ServerFailure(description: "not ready: \(log.suffix(2000))")
        }
    }

    deinit {
        nginx.stop(SIGQUIT)
        for process in workers.withLock({ $0 }) + dispatchers.withLock({ $0 }) { process.stop() }
    }

    /// The signing key of all servers of a process, because creating one is slow. Their other keys differ.
    private static let signingKey = Result { try NewKeys.signingKey() }

    // MARK: Processes

    /// Starts another worker process.
    func startWorker() throws {
        let log = folder.path(of: "worker-\(workers.withLock { $0.count }).log")
        let worker = try ChildProcess.start(
            Self.binary,
            ["worker", "--config", configuration],
            output: .file(path: log),
            errors: .file(path: log),
            inheriting: [(descriptor: listener.descriptor, as: 3)]
        )
        workers.withLock { $0.append(worker) }
    }

    /// Starts another dispatcher process.
    @discardableResult func startDispatcher() throws -> ChildProcess {
        let log = folder.path(of: "dispatcher-\(dispatchers.withLock { $0.count }).log")
        let dispatcher = try ChildProcess.start(
            Self.binary,
            ["dispatcher", "--config", configuration],
            output: .file(path: log),
            errors: .file(path: log)
        )
        dispatchers.withLock { $0.append(dispatcher) }
        return dispatcher
    }

    /// Changes settings for processes that start later.
    func change(_ settings: [String: String]) throws {
        let changed = settings.map { "DIALTONE_\($0.key)=" }
        let kept = folder.read("dialtone.conf").split(separator: "\n").filter { line in
            !changed.contains { line.hasPrefix($0) }
        }
        let lines = kept.map(String.init) + settings.map { "DIALTONE_\($0.key)=\($0.value)" }
        try folder.write(lines.joined(separator: "\n") + "\n", to: "dialtone.conf")
    }

    /// Replaces the oldest worker by a new one.
    func restartOldestWorker() throws {
        runningWorkers.first?.stop(patience: .seconds(60))
        try startWorker()
    }

    /// Restarts all processes with another address of Redis, one after the other.
    func restart(with address: String) throws {
        try change(["REDIS_ADDRESS": address])
        for _ in runningWorkers { try restartOldestWorker() }
        for dispatcher in dispatchers.withLock({ $0.filter { $0.waitForExit(atMost: .zero) == nil } }) {
            dispatcher.stop(patience: .seconds(60))
            try startDispatcher()
        }
    }

    /// The running workers, oldest first.
    var runningWorkers: [ChildProcess] {
        workers.withLock { $0.filter { $0.waitForExit(atMost: .zero) == nil } }
    }

    /// Runs another command of the same binary on the same deployment.
    func dialtone(_ arguments: String...) throws -> FinishedProcess { try dialtone(arguments) }

    func dialtone(_ arguments: [String]) throws -> FinishedProcess {
        try FinishedProcess.run(Self.binary, arguments + ["--config", configuration])
    }

    /// Everything that workers, nginx and Redis have written to their logs.
    var log: String {
        let workerLogs = (0..<workers.withLock { $0.count }).map { folder.read("worker-\($0).log") }
        let dispatcherLogs = (0..<dispatchers.withLock { $0.count }).map { folder.read("dispatcher-\($0).log") }
        return workerLogs.joined() + dispatcherLogs.joined() + folder.read("nginx.log") + folder.read("access.log")
            + redis.log
    }

    var configuration: String { folder.path(of: "dialtone.conf") }

    /// The program under test, built into the same folder as the tests.
    static let binary: String = {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &path, path.count)
        let own = String(decoding: path[..<max(0, length)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return own.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/dialtone"
    }()

    static let packageFolder =
        #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
}
