import Redis
import Synchronization
import TestServers

/// A mock Sentinel whose replies the test chooses. The master's name is `main`.
final class StandInSentinel: Sendable {
    private struct State {
        var master: UInt16?
        var listeners: [RawServer.Connection] = []
        var failoverListeners: [RawServer.Connection] = []
        var isSilent = false
        var isReplacing = false
    }

    private final class Core: Sendable {
        let state: Mutex<State>

        init(master: UInt16?) { state = Mutex(State(master: master)) }

        func serve(_ connection: RawServer.Connection) {
            while let commands = connection.read() {
                let answer = state.withLock { state in
                    if state.isSilent { return "" }
                    var answer = ""
                    if commands.contains("\r\nmain\r\n") {
                        answer += state.master.map { Self.array(["127.0.0.1", "\($0)"]) } ?? "*-1\r\n"
                    } else if commands.contains("GET-MASTER-ADDR-BY-NAME") {
                        answer += "*-1\r\n"
                    }
                    if commands.contains("\r\nMASTER\r\n") {
                        let flags = state.isReplacing ? "master,failover_in_progress" : "master"
                        answer += Self.array(["ip", "127.0.0.1", "port", "\(state.master ?? 0)", "flags", flags])
                    }
                    if let start = commands.firstRange(of: "SUBSCRIBE\r\n")?.upperBound {
                        let channels = commands[start...].split(separator: "\r\n").filter {
                            $0.hasPrefix("+") || $0.hasPrefix("-")
                        }
                        for channel in channels { answer += Self.array(["subscribe", String(channel), "1"]) }
                        if channels.contains("+switch-master") {
                            state.listeners.append(connection)
                        } else {
                            state.failoverListeners.append(connection)
                        }
                    }
                    if commands.contains("PING") { answer += Self.array(["pong", ""]) }
                    return answer
                }
                if !answer.isEmpty { connection.write(answer) }
            }
            state.withLock { state in
                state.listeners.removeAll { $0.number == connection.number }
                state.failoverListeners.removeAll { $0.number == connection.number }
            }
        }

        static func array(_ texts: [String]) -> String {
            "*\(texts.count)\r\n" + texts.map { "$\($0.utf8.count)\r\n\($0)\r\n" }.joined()
        }
    }

    private let core: Core
    private let server: RawServer

    /// Starts a Sentinel that names this master; nil for no master.
    init(master: UInt16?) throws {
        let core = Core(master: master)
        self.core = core
        server = try RawServer { core.serve($0) }
    }

    deinit { server.stop() }

    var endpoint: Endpoint { .tcp(host: "127.0.0.1", port: server.port) }
    var connectionCount: Int { server.connectionCount }
    /// Whether a process has subscribed to notifications of a new master.
    var isHeard: Bool { core.state.withLock { !$0.listeners.isEmpty } }

    /// Whether a process has subscribed to notifications of failovers.
    var isHeardOnFailovers: Bool { core.state.withLock { !$0.failoverListeners.isEmpty } }

    /// Names another master from now on, without a notification.
    func name(_ port: UInt16?) { core.state.withLock { $0.master = port } }

    /// Names another master, and sends the notification.
    func announce(_ port: UInt16, of name: String = "main") {
        core.state.withLock { state in
            let former = state.master ?? 0
            if name == "main" { state.master = port }
            let text = "\(name) 127.0.0.1 \(former) 127.0.0.1 \(port)"
            for listener in state.listeners { listener.write(Core.array(["message", "+switch-master", text])) }
        }
    }

    /// Announces that it replaces the master, and then that it has promoted another server. It names that server from
    /// then on.
    func promote(_ port: UInt16) {
        core.state.withLock { state in
            let former = state.master ?? 0
            state.master = port
            let begin = Core.array(["message", "+try-failover", "master main 127.0.0.1 \(former)"])
            let replica = "slave 127.0.0.1:\(port) 127.0.0.1 \(port)"
            let promotion = Core.array(["message", "+promoted-slave", "\(replica) @ main 127.0.0.1 \(former)"])
            for listener in state.failoverListeners { listener.write(begin + promotion) }
            for listener in state.listeners { listener.write(promotion) }
        }
    }

    /// Reports that it is replacing the master, without a notification.
    func replaceMaster() { core.state.withLock { $0.isReplacing = true } }

    /// Sends no more replies.
    func fallSilent() { core.state.withLock { $0.isSilent = true } }
}
