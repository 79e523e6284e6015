import Processes
import TestServers

/// Records what a redis-server executes.
struct Monitor {
    private let redis: RedisServer
    private let folder: TemporaryFolder
    private let child: ChildProcess
    private static let file = "monitor.txt"
    private static let end = "end-of-monitoring"

    /// Starts MONITOR and returns once it is active.
    init(_ redis: RedisServer) throws {
        self.redis = redis
        folder = try TemporaryFolder(prefix: "dialtone-monitor")
        let path = folder.path(of: Self.file)
        child = try ChildProcess.start(
            "redis-cli",
            ["-h", "127.0.0.1", "-p", String(redis.port), "MONITOR"],
            output: .file(path: path),
            errors: .file(path: path)
        )
        guard eventually({ text.hasPrefix("OK") }) else { throw ServerFailure(description: "no MONITOR: \(text)") }
    }

    private var text: String { folder.read(Self.file) }

    /// Stops and returns the executed commands, one per line.
    func stop() throws -> [String] {
        redis.cli("ECHO", Self.end)
        guard eventually({ text.contains(Self.end) }) else { throw ServerFailure(description: "MONITOR is behind") }
        child.stop()
        return text.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
    }
}
