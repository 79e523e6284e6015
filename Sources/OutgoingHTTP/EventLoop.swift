internal import CCurl
internal import Synchronization
internal import Threads

/// The thread that carries the requests of all HTTP clients of the process, and its command queue.
///
/// Only this thread uses libcurl's handles. It starts with the first request.
final class EventLoop: Sendable {
    static let shared = EventLoop()

    enum Command: Sendable {
        case start(Exchange)
        case cancel(Exchange.ID, ClientSettings.ID)
        case close(ClientSettings.ID, then: @Sendable () -> Void)
    }

    private struct State {
        var commands: [Command] = []
        /// Nil until the thread is started.
        var wakeUp: WakeUp?
    }

    private let state = Mutex(State())

    /// Starts an exchange on the loop's thread. If the thread cannot be started, the exchange fails at once.
    func start(_ exchange: Exchange) {
        let isAccepted = state.withLock { state in
            if state.wakeUp == nil { state.wakeUp = startThread() }
            return Self.add(.start(exchange), to: &state)
        }
        if !isAccepted { exchange.finish(.failure(RequestFailure(.connectionLost, mayBeSent: false))) }
    }

    /// Cancels an exchange if it is still pending.
    func cancel(_ id: Exchange.ID, of client: ClientSettings.ID) {
        state.withLock { _ = Self.add(.cancel(id, client), to: &$0) }
    }

    /// Cancels all exchanges of a client and closes its connections, then calls `then`.
    func close(_ client: ClientSettings.ID, then: @escaping @Sendable () -> Void) {
        if !state.withLock({ Self.add(.close(client, then: then), to: &$0) }) { then() }
    }

    /// Removes and returns all queued commands, in order.
    func takeCommands() -> [Command] {
        state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }

    private static func add(_ command: Command, to state: inout State) -> Bool {
        guard let wakeUp = state.wakeUp else { return false }
        state.commands.append(command)
        if state.commands.count == 1 { wakeUp.signal() }
        return true
    }

    private func startThread() -> WakeUp? {
        guard let wakeUp = WakeUp(), let poller = SocketPoller(wakeUp) else { return nil }
        let body: @Sendable () -> Void = { [self] in LoopThread(self, poller, wakeUp).run() }
        return (try? WorkThread(name: "http", run: body)) == nil ? nil : wakeUp
    }
}
