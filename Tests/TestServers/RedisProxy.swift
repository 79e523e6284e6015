import Glibc
import Processes
import Synchronization

/// A proxy between the programs under test and their Redis that can interrupt between two scripts or two commands.
///
/// After a given number of scripts or commands, the proxy runs the given action, such as killing a worker. Then the
/// connection of the last script or command closes without its reply, hangs without it, or continues.
public final class RedisProxy: Sendable {
    /// The path of the socket to which programs connect instead of to the server's.
    public let socketPath: String

    private let folder: TemporaryFolder
    private let core: Core

    /// Creates a proxy that listens as long as the value exists.
    ///
    /// - Throws: ``ServerFailure``, or `StartError` if the directory for its socket cannot be created.
    public init(to redis: RedisServer) throws {
        folder = try TemporaryFolder(prefix: "dialtone-proxy")
        socketPath = folder.path(of: "redis.sock")
        core = Core(listener: try listenOnUnixSocket(socketPath), serverPath: redis.socketPath)
        let core = core
        try startThread { core.acceptConnections() }
    }

    deinit { core.stop() }

    /// What happens to the connection of the last script or command.
    public enum Ending: Sendable {
        /// The connection closes.
        case close
        /// There is no reply until the program closes the connection.
        case hang
        /// The reply arrives, and the connection continues.
        case goOn
    }

    /// Runs the action before the script with this number from now on (from 1), then lets the script run. The action
    /// runs on the proxy's thread for this connection.
    public func overtake(beforeScript number: Int, _ action: @escaping @Sendable () -> Void) {
        core.interruption.withLock {
            $0 = Interruption(scriptsLeft: number, overtakes: true, ending: .goOn, action: action)
        }
    }

    /// Runs the action after `count` further scripts (0: before the next one), on the proxy's thread for the
    /// connection. The connection then ends as `ending` says.
    public func interrupt(
        afterScripts count: Int,
        _ ending: Ending = .close,
        _ action: @escaping @Sendable () -> Void = {}
    ) {
        core.interruption.withLock { $0 = Interruption(scriptsLeft: count, ending: ending, action: action) }
    }

    /// Like ``interrupt(afterScripts:_:_:)``, but counts all commands of requests, including scripts. Commands that
    /// prepare a connection do not count.
    public func interrupt(
        afterCommands count: Int,
        _ ending: Ending,
        _ action: @escaping @Sendable () -> Void = {}
    ) {
        core.interruption.withLock {
            $0 = Interruption(scriptsLeft: count, countsCommands: true, ending: ending, action: action)
        }
    }

    /// The number of scripts so far, including those that hang or were cut off.
    public var scriptCount: Int { core.scriptCount.load(ordering: .relaxed) }

    /// The number of connections so far.
    public var connectionCount: Int { core.connectionCount.load(ordering: .relaxed) }

    /// Returns whether the interruption has happened. If not, it is cancelled.
    public func hasInterrupted() -> Bool {
        core.interruption.withLock { interruption in
            defer { interruption = nil }
            return interruption == nil
        }
    }
}

private struct Interruption {
    var scriptsLeft: Int
    /// Whether all commands of requests count.
    var countsCommands = false
    /// Whether the action runs before the last script.
    var overtakes = false
    let ending: RedisProxy.Ending
    let action: @Sendable () -> Void
}

private final class Core: Sendable {
    let interruption = Mutex<Interruption?>(nil)
    let scriptCount = Atomic(0)
    let connectionCount = Atomic(0)
    private let listener: Int32
    private let serverPath: String

    private enum Turn {
        case pass
        case breakIn(isBefore: Bool, RedisProxy.Ending, @Sendable () -> Void)
    }

    init(listener: Int32, serverPath: String) {
        self.listener = listener
        self.serverPath = serverPath
    }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    func acceptConnections() {
        defer { close(listener) }
        while case let client = accept(listener, nil, nil), client >= 0 {
            connectionCount.add(1, ordering: .relaxed)
            do { try startThread { self.serve(client) } } catch { close(client) }
        }
    }

    private func serve(_ client: Int32) {
        defer { close(client) }
        guard let server = try? connectToUnixSocket(serverPath) else { return }
        defer { close(server) }
        var commands = CommandReader()
        while true {
            var entries = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&entries, 2, -1) > 0 else { continue }
            if entries[1].revents != 0 {
                guard let answer = receive(from: server), sendAll(answer, to: client) else { return }
            }
            guard entries[0].revents != 0 else { continue }
            guard let bytes = receive(from: client) else { return }
            commands.append(bytes)
            while let command = commands.next() {
                switch turn(of: command) {
                case .pass:
                    guard sendAll(command.bytes, to: server) else { return }
                case .breakIn(let isBefore, let ending, let action):
                    let answer = isBefore ? nil : answer(of: server, to: command)
                    action()
                    switch ending {
                    case .close: return
                    case .hang:
                        while receive(from: client) != nil {}
                        return
                    case .goOn:
                        let isBack =
                            isBefore ? sendAll(command.bytes, to: server) : answer.map { sendAll($0, to: client) }
                        guard isBack == true else { return }
                    }
                }
            }
        }
    }

    /// Sends a command and returns its reply, after those to earlier commands of the pipeline. The reply means that the
    /// script has run. A `PING` of the proxy marks the end of the reply.
    private func answer(of server: Int32, to command: CommandReader.Command) -> [UInt8]? {
        let (ping, pong) = (Array("PING proxy\r\n".utf8), Array("$5\r\nproxy\r\n".utf8))
        guard sendAll(command.bytes + ping, to: server) else { return nil }
        var answer: [UInt8] = []
        while !answer.suffix(pong.count).elementsEqual(pong) {
            guard let bytes = receive(from: server) else { return nil }
            answer += bytes
        }
        return answer.dropLast(pong.count)
    }

    private func turn(of command: CommandReader.Command) -> Turn {
        if command.isScript { scriptCount.add(1, ordering: .relaxed) }
        return interruption.withLock { interruption in
            guard let present = interruption,
                command.isScript || present.countsCommands && command.isOfRequest
            else { return .pass }
            guard present.scriptsLeft > 1 else {
                interruption = nil
                return .breakIn(
                    isBefore: present.overtakes || present.scriptsLeft == 0,
                    present.ending,
                    present.action
                )
            }
            interruption?.scriptsLeft -= 1
            return .pass
        }
    }
}
