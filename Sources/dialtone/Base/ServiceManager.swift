import Glibc
import RedisScripts
import Threads

/// systemd, as a unit of `Type=notify` sees it: a socket that takes states of the process (`sd_notify(3)`). Without the
/// socket, nothing is sent.
struct ServiceManager {
    private let path: String?
    /// Half of the time (`WatchdogSec=`) after which systemd ends a silent process; nil if it does not watch.
    private let interval: Duration?

    /// Reads the variables that systemd sets.
    init() {
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        path = variable("NOTIFY_SOCKET")
        interval = variable("WATCHDOG_USEC").flatMap { Int64($0) }.map { .microseconds($0 / 2) }
    }

    /// Reports this process as ready once Redis has answered, on a thread of its own, and then as alive for as long as
    /// it `isAlive`. Until then, the unit's status is the reason why Redis does not answer.
    ///
    /// - Parameters:
    ///   - redisProblem: asks Redis; returns why it does not answer, or nil.
    ///   - isAlive: whether the process does its work.
    /// - Throws: `ThreadError`.
    func supervise(
        _ redisProblem: @escaping @Sendable () -> String?,
        isAlive: @escaping @Sendable () -> Bool
    ) throws(ThreadError) {
        guard path != nil else { return }
        _ = try WorkThread(name: "service") {
            while let problem = redisProblem() {
                send("STATUS=Waiting for Redis: \(problem)")
                sleep(1)
            }
            send("READY=1\nSTATUS=")
            guard let interval else { return }
            while true {
                if isAlive() { send("WATCHDOG=1") }
                ActiveThreads.sleep(for: interval)
            }
        }
    }

    /// Sends a state. A state that systemd cannot take is lost.
    private func send(_ state: String) {
        guard let path else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // "@" stands for the zero byte that begins the name of a socket without a file.
        let name = path.hasPrefix("@") ? [0] + path.utf8.dropFirst() : Array(path.utf8)
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(descriptor, state, state.utf8.count, Int32(MSG_NOSIGNAL), address, size)
            }
        }
    }
}
