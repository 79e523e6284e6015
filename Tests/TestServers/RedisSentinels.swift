import Processes
import Synchronization

/// A master with two replicas, monitored by three real Sentinels under the name `main`.
public final class RedisSentinels: Sendable {
    /// The first master and its replicas.
    public let servers: [RedisServer]
    /// The Sentinels' ports on 127.0.0.1.
    public let ports: [UInt16]
    /// The Sentinels' password for clients; nil for none.
    public let password: String?
    private let tls: RedisServer.TLS?
    private let folder: TemporaryFolder
    private let children = Mutex<[ChildProcess]>([])

    /// Starts all servers, and returns when the Sentinels know each other and the replicas. With `tls`, clients of the
    /// Sentinels and of the master must use TLS.
    /// - Throws: ``StartError`` or ``ServerFailure``
    public init(password: String? = nil, tls: RedisServer.TLS? = nil) throws {
        let master = try RedisServer.start(tls: tls, settings: tls == nil ? [] : ["tls-replication yes"])
        servers = [master, try master.startReplica(tls: tls), try master.startReplica(tls: tls)]
        ports = (0..<3).map { _ in FreePort.next() }
        self.password = password
        self.tls = tls
        folder = try TemporaryFolder(prefix: "dialtone-sentinel")
        // The Sentinels share the certificates' files, which must not be rewritten while a Sentinel reads them.
        let tlsSettings = try tls.map { ["tls-replication yes"] + (try $0.settings(in: folder)) }
        for port in ports { try launch(port, tlsSettings) }
        let isReady = eventually(within: .seconds(60), every: .milliseconds(250)) {
            ports.allSatisfy { port in
                let state = cli(port, "SENTINEL", "MASTER", "main").split(separator: "\n")
                return Self.value("num-slaves", in: state) == "2" && Self.value("num-other-sentinels", in: state) == "2"
            }
        }
        guard isReady else {
            throw ServerFailure(description: "the Sentinels do not know each other: \(ports.map(report))")
        }
    }

    deinit { stopSentinels() }

    /// The current master, as a Sentinel sees it; nil if no Sentinel runs.
    public var masterPort: UInt16? {
        ports.lazy.compactMap { port in
            let lines = self.cli(port, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", "main").split(separator: "\n")
            return lines.count == 2 ? UInt16(lines[1]) : nil
        }.first
    }

    /// The server with this port.
    public func server(_ port: UInt16?) -> RedisServer? { servers.first { Self.port(of: $0) == port } }

    /// The Sentinels as they are written in an address: `host:port,host:port,host:port/main`.
    public var list: String { ports.map { "127.0.0.1:\($0)" }.joined(separator: ",") + "/main" }

    /// Replaces the master by a replica, as an operator does (`SENTINEL FAILOVER`).
    ///
    /// - Returns: whether a Sentinel has begun. For a while, a Sentinel may not know a replica to promote.
    public func startFailover() -> Bool {
        eventually(every: .milliseconds(250)) { cli(ports[0], "SENTINEL", "FAILOVER", "main").hasPrefix("OK") }
    }

    /// Stops all Sentinels.
    public func stopSentinels() {
        let children = children.withLock { children in
            defer { children = [] }
            return children
        }
        for child in children { child.stop() }
    }

    private func launch(_ port: UInt16, _ tlsSettings: [String]?) throws {
        let name = "sentinel-\(port)"
        var lines = [
            "bind 127.0.0.1", "dir \(folder.path)",
            "sentinel monitor main 127.0.0.1 \(Self.port(of: servers[0])) 2",
            "sentinel down-after-milliseconds main 1000",
            "sentinel failover-timeout main 10000", "sentinel parallel-syncs main 2",
        ]
        if let tlsSettings {
            lines += ["port 0", "tls-port \(port)"] + tlsSettings
        } else {
            lines.append("port \(port)")
        }
        if let password { lines += ["requirepass \(password)", "sentinel sentinel-pass \(password)"] }
        try folder.write(lines.joined(separator: "\n") + "\n", to: name + ".conf")
        let log = folder.path(of: name + ".log")
        let child = try ChildProcess.start(
            "redis-server",
            [folder.path(of: name + ".conf"), "--sentinel"],
            output: .file(path: log),
            errors: .file(path: log)
        )
        children.withLock { $0.append(child) }
    }

    private func cli(_ port: UInt16, _ arguments: String...) -> String {
        let login = password.map { ["--pass", $0, "--no-auth-warning"] } ?? []
        let tls = self.tls.map { _ in ["--tls", "--cacert", folder.path(of: "ca.pem")] } ?? []
        let finished = try? FinishedProcess.run(
            "redis-cli",
            ["-h", "127.0.0.1", "-p", String(port)] + tls + login + arguments,
            atMost: .seconds(30)
        )
        return finished?.output ?? ""
    }

    /// Returns a Sentinel's view of the master, and the end of the Sentinel's log.
    private func report(_ port: UInt16) -> String {
        let state = cli(port, "SENTINEL", "MASTER", "main").split(separator: "\n")
        let known = ["flags", "num-slaves", "num-other-sentinels"].map { "\($0) \(Self.value($0, in: state) ?? "?")" }
        return "\(known) \(folder.read("sentinel-\(port).log").suffix(2000))"
    }

    private static func port(of server: RedisServer) -> UInt16 { server.tlsPort ?? server.port }

    private static func value(_ name: String, in lines: [Substring]) -> Substring? {
        lines.firstIndex(of: name[...]).flatMap { lines[($0 + 1)...].first }
    }
}
