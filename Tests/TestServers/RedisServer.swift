import Glibc
import Processes
import Synchronization

/// A real redis-server of the test's own, on a Unix socket and a TCP port of 127.0.0.1, with its data in a temporary folder.
///
/// It is stopped when the value goes away. Its addresses stay the same across ``stop()``, ``kill()`` and ``restart()``.
public final class RedisServer: Sendable {
    /// The Unix socket's path.
    public let socketPath: String
    /// The TCP port on 127.0.0.1.
    public let port: UInt16
    /// The only user that may do anything, or nil: then everybody may.
    public let user: User?

    private let folder: TemporaryFolder
    private let child = Mutex<ChildProcess?>(nil)

    /// An ACL user who may run every command on every key.
    public struct User: Sendable {
        /// The name to log in with.
        public let name: String
        /// The password to log in with.
        public let password: String

        /// Names a user.
        public init(_ name: String, password: String) {
            self.name = name
            self.password = password
        }
    }

    /// Starts a server and returns when it answers.
    ///
    /// - Parameters:
    ///   - isPersistent: whether data outlives ``stop()``, ``kill()`` and ``restart()``, by an append-only file.
    ///   - user: if given, everybody else is refused.
    ///   - settings: further lines of `redis.conf`.
    /// - Returns: the running server.
    /// - Throws: ``StartError`` or ``ServerFailure``
    public static func start(
        isPersistent: Bool = false,
        user: User? = nil,
        settings: [String] = []
    ) throws -> RedisServer {
        let server = try RedisServer(isPersistent: isPersistent, user: user, settings: settings)
        try server.launch()
        return server
    }

    private init(isPersistent: Bool, user: User?, settings: [String]) throws(StartError) {
        let folder = try TemporaryFolder(prefix: "dialtone-redis")
        self.folder = folder
        self.user = user
        port = FreePort.next()
        socketPath = folder.path(of: "redis.sock")
        var lines = [
            "bind 127.0.0.1", "port \(port)", "unixsocket \(socketPath)", "unixsocketperm 700",
            "dir \(folder.path)", "save \"\"", "appendonly \(isPersistent ? "yes" : "no")",
            "daemonize no", "databases 16",
        ]
        if let user {
            lines += ["user default off", "user \(user.name) on \">\(user.password)\" ~* &* +@all"]
        }
        try folder.write((lines + settings).joined(separator: "\n") + "\n", to: "redis.conf")
    }

    deinit { stop() }

    /// The server's process number, or nil while it does not run.
    public var processID: Int32? { child.withLock { $0?.processID } }

    /// Everything the server wrote to its log.
    public var log: String { folder.read("redis.log") }

    /// Ends the server in order and waits for its end. Does nothing if it does not run.
    public func stop() { takeChild()?.stop() }

    /// Ends the server by SIGKILL: nothing is saved, no connection is closed in order.
    public func kill() { takeChild()?.stop(SIGKILL) }

    /// Stops the server if it runs, starts it on the same addresses, and returns when it answers.
    public func restart() throws {
        stop()
        try launch()
    }

    /// Halts the server: the system still accepts its connections, but nothing answers until ``resume()``.
    public func pause() {
        if let processID { halt(processID) }
    }

    /// Lets a halted server go on.
    public func resume() { child.withLock { $0?.send(SIGCONT) } }

    private func takeChild() -> ChildProcess? {
        child.withLock { child in
            defer { child = nil }
            return child
        }
    }

    private func launch() throws {
        let log = folder.path(of: "redis.log")
        let started = try ChildProcess.start(
            "redis-server",
            [folder.path(of: "redis.conf")],
            output: .file(path: log),
            errors: .file(path: log)
        )
        child.withLock { $0 = started }
        let isUp = eventually(within: .seconds(20)) {
            started.waitForExit(atMost: .zero) != nil || answers(started.processID)
        }
        guard isUp, started.waitForExit(atMost: .zero) == nil else {
            stop()
            throw ServerFailure(description: "redis-server did not start: \(self.log.suffix(500))")
        }
    }

    /// Whether the process that answers on the port is ours, and has its data loaded.
    private func answers(_ processID: Int32) -> Bool {
        let information = cli(["INFO"]).split(whereSeparator: \.isNewline)
        return information.contains("process_id:\(processID)") && information.contains("loading:0")
            && access(socketPath, F_OK) == 0
    }
}
