import Redis
import Synchronization
import TestServers

/// A mock cluster node whose replies the test chooses. By default it reports that it has all slots.
final class StandInNode: Sendable {
    /// Returns the reply to a command with its first argument, in wire format; nil for the default reply.
    typealias Answer = @Sendable (_ name: String, _ argument: String?) -> String?

    private final class Core: Sendable {
        let port = Mutex<UInt16>(0)
        let answer: Mutex<Answer>

        init(_ answer: @escaping Answer) { self.answer = Mutex(answer) }

        func serve(_ connection: RawServer.Connection) {
            var commands = CommandReader()
            while let text = connection.read() {
                commands.append(Array(text.utf8))
                while let command = commands.next() {
                    let words = command.words
                    let argument = words.dropFirst().first
                    let answer = answer.withLock { $0 }
                    connection.write(answer(words[0], argument) ?? usual(words[0], argument))
                }
            }
        }

        private func usual(_ name: String, _ argument: String?) -> String {
            switch (name, argument) {
            case ("CLUSTER", "INFO"): StandInNode.information
            case ("CLUSTER", "SLOTS"): StandInNode.slots(port.withLock { $0 })
            default: "+OK\r\n"
            }
        }
    }

    private let core: Core
    private let server: RawServer

    init(_ answer: @escaping Answer = { _, _ in nil }) throws {
        let core = Core(answer)
        self.core = core
        server = try RawServer { core.serve($0) }
        core.port.withLock { $0 = server.port }
    }

    deinit { server.stop() }

    var port: UInt16 { server.port }

    /// Sets the replies to later commands.
    func answer(_ answer: @escaping Answer) { core.answer.withLock { $0 = answer } }

    /// `CLUSTER INFO` of a node that sees a working cluster.
    static let information = "$43\r\ncluster_state:ok\r\ncluster_current_epoch:1\r\n\r\n"

    /// `CLUSTER SLOTS` with one master for all slots.
    static func slots(_ port: UInt16) -> String {
        "*1\r\n*3\r\n:0\r\n:16383\r\n*3\r\n$9\r\n127.0.0.1\r\n:\(port)\r\n$2\r\nid\r\n"
    }

    /// Returns a connection to the cluster of this node, with other nodes in its address.
    func connection(others: [StandInNode] = [], commandTimeout: Duration = .seconds(5)) throws -> Connection {
        let list = ([self] + others).map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
        return Connection(
            ConnectionConfiguration(
                servers: try RedisAddress("redis+cluster://\(list)").servers,
                connectTimeout: .seconds(5),
                commandTimeout: commandTimeout,
                maxRetryDelay: .milliseconds(1)
            )
        )
    }
}
