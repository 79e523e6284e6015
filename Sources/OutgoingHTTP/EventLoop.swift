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

/// A request in the event loop.
struct Exchange: Sendable {
    typealias ID = UInt64
    typealias Outcome = Result<HTTPAnswer, RequestFailure>

    let id: ID
    let request: HTTPRequest
    let settings: ClientSettings
    let deadline: ContinuousClock.Instant
    /// Receives the outcome. Called once, usually on the loop's thread; must not block.
    let finish: @Sendable (Outcome) -> Void

    init(
        _ id: ID,
        _ request: HTTPRequest,
        _ settings: ClientSettings,
        within deadline: Duration,
        finish: @escaping @Sendable (Outcome) -> Void
    ) {
        self.id = id
        self.request = request
        self.settings = settings
        self.deadline = .now + deadline
        self.finish = finish
    }

    private static let lastID = Atomic<ID>(0)

    /// Returns an id that is unique in the process.
    static func newID() -> ID { lastID.add(1, ordering: .relaxed).newValue }
}

/// The event loop's thread: it waits for socket events, commands and timers, and dispatches them to the clients.
final class LoopThread {
    private let loop: EventLoop
    private let poller: SocketPoller
    private let wakeUp: WakeUp
    /// The clients with open connections or pending exchanges.
    private var clients: [ClientSettings.ID: ClientTransfers] = [:]
    private var deadlines = DeadlineQueue()

    init(_ loop: EventLoop, _ poller: SocketPoller, _ wakeUp: WakeUp) {
        self.loop = loop
        self.poller = poller
        self.wakeUp = wakeUp
    }

    func run() -> Never {
        while true {
            let (events, isWoken) = poller.wait(atMost: timeLeft())
            for event in events { clients[event.client]?.perform(event.socket, event.state) }
            if isWoken {
                wakeUp.reset()
                for command in loop.takeCommands() { execute(command) }
            }
            handleTimes(at: .now)
        }
    }

    private func timeLeft() -> Duration? {
        var earliest = deadlines.first
        for client in clients.values {
            guard let time = client.nextTime else { continue }
            earliest = earliest.map { min($0, time) } ?? time
        }
        return earliest.map { $0 - .now }
    }

    private func execute(_ command: EventLoop.Command) {
        switch command {
        case .start(let exchange):
            guard let client = client(of: exchange) else {
                exchange.finish(.failure(RequestFailure(.connectionLost, mayBeSent: false)))
                return
            }
            deadlines.add(exchange)
            client.add(exchange)
        case .cancel(let id, let client):
            clients[client]?.abandon(id, .cancelled)
        case .close(let id, let then):
            clients.removeValue(forKey: id)?.close()
            then()
        }
    }

    private func client(of exchange: Exchange) -> ClientTransfers? {
        let settings = exchange.settings
        if let client = clients[settings.id] { return client }
        guard HTTPLibrary.isLoaded, let client = ClientTransfers(settings, poller) else { return nil }
        clients[settings.id] = client
        return client
    }

    private func handleTimes(at now: ContinuousClock.Instant) {
        for client in clients.values { client.performTimer(at: now) }
        while let due = deadlines.removeFirst(dueAt: now) { clients[due.client]?.abandon(due.exchange, .timedOut) }
        for (id, client) in clients where client.isIdle(at: now) {
            client.close()
            clients[id] = nil
        }
        deadlines.forget { clients[$0.client]?.isUnfinished($0.exchange) ?? false }
    }
}

/// libcurl, which a process loads with its first request.
public enum HTTPLibrary {
    /// Whether libcurl is loaded and works. If it is not, every request fails with ``TransportFailure/connectionLost``.
    public static let isLoaded = ccurl_global_init() != 0
}
