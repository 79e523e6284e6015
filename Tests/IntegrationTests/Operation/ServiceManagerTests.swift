import Glibc
import Processes
import TestServers
import Testing

@testable import dialtone

/// What systemd learns from a unit of `Type=notify`.
@Suite struct ServiceManagerTests {
    /// The socket that takes states, as systemd's does.
    private final class NotifySocket {
        let path: String
        private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)

        init(_ path: String) throws {
            self.path = path
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let size = socklen_t(MemoryLayout<sockaddr_un>.size)
            let result = withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
            }
            guard result == 0 else { throw ServerFailure(description: "cannot bind \(path)") }
            var limit = timeval(tv_sec: 60, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        }

        deinit { close(descriptor) }

        /// Waits for the next state that begins with these words; returns "" if a minute passes without any state.
        func next(_ words: String) -> String {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                let state = String(decoding: buffer[..<max(0, count)], as: UTF8.self)
                if state.hasPrefix(words) || count <= 0 { return state }
            }
        }
    }

    private func start(_ command: String, _ server: RunningServer, _ socket: NotifySocket) throws -> ChildProcess {
        let log = server.folder.path(of: "service.log")
        let environment = [
            "NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "200000", "PATH": "/usr/bin:/bin",
            "DIALTONE_LISTEN": "unix:\(server.folder.path(of: "own.sock"))",
        ]
        return try ChildProcess.start(
            RunningServer.binary,
            [command, "--config", server.configuration],
            environment: environment,
            output: .file(path: log),
            errors: .file(path: log)
        )
    }

    @Test(
        "a process is ready once Redis has answered, and then alive; until then, its status is the reason",
        arguments: ["worker", "dispatcher"]
    )
    func ready(_ command: String) throws {
        let server = try RunningServer(workers: 1)
        let socket = try NotifySocket(server.folder.path(of: "notify"))
        server.redis.cli("CONFIG", "SET", "requirepass", "secret")
        let process = try start(command, server, socket)
        defer { process.stop() }
        #expect(socket.next("STATUS=").hasPrefix("STATUS=Waiting for Redis: "))
        server.redis.cli("-a", "secret", "CONFIG", "SET", "requirepass", "")
        #expect(socket.next("READY=1") == "READY=1\nSTATUS=")
        for _ in 0..<3 { #expect(socket.next("") == "WATCHDOG=1") }
    }

    @Test("SIGHUP does not stop a process", arguments: ["worker", "dispatcher"])
    func hangUp(_ command: String) throws {
        let server = try RunningServer(workers: 1)
        let socket = try NotifySocket(server.folder.path(of: "notify"))
        let process = try start(command, server, socket)
        defer { process.stop() }
        _ = socket.next("READY=1")
        // Many signals, because main starts threads now, and blocks all signals for a moment each time.
        for _ in 0..<10_000 { process.send(SIGHUP) }
        for _ in 0..<3 { #expect(socket.next("") == "WATCHDOG=1") }
        #expect(process.waitForExit(atMost: .zero) == nil)
    }

    @Test("a service that cannot start logs each reason as JSON")
    func failure() throws {
        let started = try FinishedProcess.run(RunningServer.binary, ["worker", "--config", "/nonexistent"])
        #expect(started.status == .exited(1))
        #expect(started.errors.hasPrefix(#"{"time":"#), "\(started.errors)")
        #expect(started.errors.contains(#""level":"critical","message":"/nonexistent: No such file"#))
    }
}
