import Glibc
import Processes
import Synchronization

/// Stands between the programs under test and their Redis, and can break in between two scripts, or two commands.
///
/// When a given number of them has run, it runs the given action, such as killing a worker. Then the connection of
/// the last one ends without its answer, or hangs without it, or goes on.
public final class RedisProxy: Sendable {
    /// Where programs connect instead of to the server.
    public let socketPath: String

    private let folder: TemporaryFolder
    private let core: Core

    /// Listens for as long as the value lives.
    /// - Throws: ``ServerFailure``, or `StartError` without a folder for its socket.
    public init(to redis: RedisServer) throws {
        folder = try TemporaryFolder(prefix: "dialtone-proxy")
        socketPath = folder.path(of: "redis.sock")
        core = Core(listener: try listenOnUnixSocket(socketPath), serverPath: redis.socketPath)
        let core = core
        try startThread { core.acceptConnections() }
    }

    deinit { core.stop() }

    /// What becomes of the connection whose script was the last one.
    public enum Ending: Sendable {
        /// It ends.
        case close
        /// Nothing comes until the program gives the connection up.
        case hang
        /// The answer comes, as if nothing had happened.
        case goOn
    }

    /// Does something before the script of this number from now on, the first being 1, and then lets that script run.
    /// The action runs on a thread of the proxy's, which serves that one connection only.
    public func overtake(beforeScript number: Int, _ action: @escaping @Sendable () -> Void) {
        core.interruption.withLock {
            $0 = Interruption(scriptsLeft: number, overtakes: true, ending: .goOn, action: action)
        }
    }

    /// Breaks in when so many scripts have run from now on; with 0 before the first one. The action runs on a thread of the
    /// proxy's; then the connection ends in that way.
    public func interrupt(
        afterScripts count: Int,
        _ ending: Ending = .close,
        _ action: @escaping @Sendable () -> Void = {}
    ) {
        core.interruption.withLock { $0 = Interruption(scriptsLeft: count, ending: ending, action: action) }
    }

    /// The same for commands of requests, scripts among them. Those that prepare a connection do not count.
    public func interrupt(
        afterCommands count: Int,
        _ ending: Ending,
        _ action: @escaping @Sendable () -> Void = {}
    ) {
        core.interruption.withLock {
            $0 = Interruption(scriptsLeft: count, countsCommands: true, ending: ending, action: action)
        }
    }

    /// How many scripts programs have run, those that hang or were cut off among them.
    public var scriptCount: Int { core.scriptCount.load(ordering: .relaxed) }

    /// How many connections programs have made.
    public var connectionCount: Int { core.connectionCount.load(ordering: .relaxed) }

    /// Whether it has broken in. If not, it will not any more.
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
    /// Whether the last script runs after the action.
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
                    var answer: [UInt8]?
                    // The answer begins when the script has run.
                    if !isBefore, sendAll(command.bytes, to: server) { answer = receive(from: server) }
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
