internal import CCurl
internal import Threads

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
