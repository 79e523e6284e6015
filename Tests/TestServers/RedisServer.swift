import Glibc
import Processes
import Synchronization

/// A real redis-server for one test, on a Unix socket and a TCP port of 127.0.0.1, with its data in a temporary
/// directory.
///
/// The server is stopped when the value is released. Its addresses stay the same across ``stop()``, ``kill()`` and
/// ``restart()``.
public final class RedisServer: Sendable {
    /// The Unix socket's path.
    public let socketPath: String
    /// The TCP port on 127.0.0.1.
    public let port: UInt16
    /// The TLS port on 127.0.0.1; nil if the server has none.
    public let tlsPort: UInt16?
    /// The only user with access; nil if no authentication is required.
    public let user: User?

    private let folder: TemporaryFolder
    private let child = Mutex<ChildProcess?>(nil)

    /// An ACL user with access to all commands and keys.
    public struct User: Sendable {
        /// The user name.
        public let name: String
        /// The password.
        public let password: String

        /// Creates a user.
        public init(_ name: String, password: String) {
            self.name = name
            self.password = password
        }
    }

    /// The certificates of a server with a TLS port, in PEM.
    public struct TLS: Sendable {
        /// The authority of the clients' certificates.
        public let authority: String
        /// The server's certificate.
        public let certificate: String
        /// The certificate's private key.
        public let privateKey: String
        /// Whether clients must present a certificate.
        public let requiresClients: Bool

        /// Creates the certificates.
        public init(authority: String, certificate: String, privateKey: String, requiresClients: Bool = false) {
            self.authority = authority
            self.certificate = certificate
            self.privateKey = privateKey
            self.requiresClients = requiresClients
        }

        /// Writes the files to `folder`, and returns the lines of `redis.conf` that name them.
        func settings(in folder: TemporaryFolder) throws(StartError) -> [String] {
            for (name, text) in [
                ("ca.pem", authority), ("server.pem", certificate), ("server-key.pem", privateKey),
            ] { try folder.write(text, to: name) }
            return [
                "tls-ca-cert-file \(folder.path(of: "ca.pem"))", "tls-cert-file \(folder.path(of: "server.pem"))",
                "tls-key-file \(folder.path(of: "server-key.pem"))",
                "tls-auth-clients \(requiresClients ? "yes" : "no")",
            ]
        }
    }

    /// Starts a server and returns when it is ready.
    ///
    /// - Parameters:
    ///   - isPersistent: whether data survives ``stop()``, ``kill()`` and ``restart()``, by an append-only file.
    ///   - user: the only user with access; nil for no authentication.
    ///   - tls: the certificates of its TLS port; nil for a server without one.
    ///   - settings: additional lines of `redis.conf`.
    ///   - files: the content of files in its folder, by name.
    /// - Returns: the running server.
    /// - Throws: ``StartError`` or ``ServerFailure``
    public static func start(
        isPersistent: Bool = false,
        user: User? = nil,
        tls: TLS? = nil,
        settings: [String] = [],
        files: [String: String] = [:]
    ) throws -> RedisServer {
        let server = try RedisServer(isPersistent: isPersistent, user: user, tls: tls, settings: settings)
        for (name, text) in files { try server.folder.write(text, to: name) }
        try server.launch()
        return server
    }

    private init(isPersistent: Bool, user: User?, tls: TLS?, settings: [String]) throws(StartError) {
        let folder = try TemporaryFolder(prefix: "dialtone-redis")
        self.folder = folder
        self.user = user
        port = FreePort.next()
        tlsPort = tls.map { _ in FreePort.next() }
        socketPath = folder.path(of: "redis.sock")
        var lines = [
            "bind 127.0.0.1", "port \(port)", "unixsocket \(socketPath)", "unixsocketperm 700",
            "dir \(folder.path)", "save \"\"", "appendonly \(isPersistent ? "yes" : "no")",
            "daemonize no", "databases 16",
        ]
        if let user {
            lines += ["user default off", "user \(user.name) on \">\(user.password)\" ~* &* +@all"]
        }
        if let tls, let tlsPort { lines += ["tls-port \(tlsPort)"] + (try tls.settings(in: folder)) }
        try folder.write((lines + settings).joined(separator: "\n") + "\n", to: "redis.conf")
    }

    deinit { stop() }

    /// The server's process id, or nil while the server is not running.
    public var processID: Int32? { child.withLock { $0?.processID } }

    /// The server's whole log.
    public var log: String { folder.read("redis.log") }

    /// Shuts the server down and waits for its exit. Does nothing if it is not running.
    public func stop() { takeChild()?.stop() }

    /// Kills the server with SIGKILL: nothing is saved, and connections are not closed properly.
    public func kill() { takeChild()?.stop(SIGKILL) }

    /// Stops the server if it is running, starts it on the same addresses, and returns when it is ready.
    public func restart() throws {
        stop()
        try launch()
    }

    /// Stops the server with SIGSTOP: the kernel still accepts connections, but nothing responds until ``resume()``.
    public func pause() {
        if let processID { halt(processID) }
    }

    /// Continues a paused server.
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
        let isUp = eventually {
            started.waitForExit(atMost: .zero) != nil || answers(started.processID)
        }
        guard isUp, started.waitForExit(atMost: .zero) == nil else {
            stop()
            throw ServerFailure(description: "redis-server did not start: \(self.log.suffix(500))")
        }
    }

    /// Returns whether the process that responds on the port is this server and has loaded its data.
    private func answers(_ processID: Int32) -> Bool {
        let information = cli(["INFO"]).split(whereSeparator: \.isNewline)
        return information.contains("process_id:\(processID)") && information.contains("loading:0")
            && access(socketPath, F_OK) == 0
    }
}
