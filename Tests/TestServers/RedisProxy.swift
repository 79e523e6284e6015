import Glibc
import Processes
import Synchronization

/// Stands between the programs under test and their Redis, and can break in between two scripts.
///
/// When so many scripts have run, it does what it is told, killing a worker for instance. The answer of the last one, and
/// whatever else there is on that connection, reaches nobody: what the program sees is a connection that ends.
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

    /// Breaks in when so many scripts have run from now on; with 0 before the first one. The action runs on a thread of the
    /// proxy's; then the connection ends.
    public func interrupt(afterScripts count: Int, _ action: @escaping @Sendable () -> Void) {
        core.interruption.withLock { $0 = Interruption(scriptsLeft: count, action: action) }
    }

    /// Does something before the script of this number from now on, the first being 1, and then lets that script run. The action
    /// runs on a thread of the proxy's, which serves that one connection only.
    public func overtake(beforeScript number: Int, _ action: @escaping @Sendable () -> Void) {
        core.interruption.withLock { $0 = Interruption(scriptsLeft: number, overtakes: true, action: action) }
    }

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
    /// Whether the last script runs after the action.
    var overtakes = false
    let action: @Sendable () -> Void
}

private final class Core: Sendable {
    let interruption = Mutex<Interruption?>(nil)
    private let listener: Int32
    private let serverPath: String

    private enum Turn {
        case pass
        case overtake(@Sendable () -> Void)
        case breakIn(isBefore: Bool, @Sendable () -> Void)
    }

    init(listener: Int32, serverPath: String) {
        self.listener = listener
        self.serverPath = serverPath
    }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    func acceptConnections() {
        defer { close(listener) }
        while case let client = accept(listener, nil, nil), client >= 0 {
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
                case .overtake(let action):
                    action()
                    guard sendAll(command.bytes, to: server) else { return }
                case .breakIn(let isBefore, let action):
                    // The answer begins when the script has run.
                    if !isBefore, sendAll(command.bytes, to: server) { _ = receive(from: server) }
                    return action()
                }
            }
        }
    }

    private func turn(of command: CommandReader.Command) -> Turn {
        guard command.isScript else { return .pass }
        return interruption.withLock { interruption in
            guard let present = interruption else { return .pass }
            guard present.scriptsLeft > 1 else {
                interruption = nil
                if present.overtakes { return .overtake(present.action) }
                return .breakIn(isBefore: present.scriptsLeft == 0, present.action)
            }
            interruption?.scriptsLeft -= 1
            return .pass
        }
    }
}
