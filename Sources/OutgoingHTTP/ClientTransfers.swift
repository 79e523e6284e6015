internal import CCurl
internal import Encodings

/// The connections and transfers of one client: a libcurl multi handle. Only the loop's thread may use it.
///
/// Each client has its own handle, so a connection is never reused with another client's trust roots or credentials.
final class ClientTransfers {
    /// The maximum number of idle connections, for all hosts together.
    private static let maximumIdleConnections = 64
    /// The maximum number of concurrent requests on an HTTP/2 connection. libcurl assumes 100 until the server's
    /// settings arrive, and RFC 9113 § 6.5.2 recommends that servers allow at least 100.
    private static let maximumStreams = 100

    private let settings: ClientSettings
    private let poller: SocketPoller
    private let multi: UnsafeMutableRawPointer
    private let sockets = ConnectionSockets()
    private var transfers: [Exchange.ID: Transfer] = [:]
    /// The number of transfers in progress, by origin.
    private var active: [String: Int] = [:]
    /// The exchanges that wait for a connection, by origin, in order.
    private var waiting: [String: ArraySlice<Exchange>] = [:]
    /// The exchanges that are in progress or wait for a connection.
    private var unfinished: Set<Exchange.ID> = []
    /// The time at which libcurl's next timer is due.
    private var timer: ContinuousClock.Instant?
    /// The time at which the idle timeout ends; nil while there are exchanges.
    private var idleEnd: ContinuousClock.Instant?

    init?(_ settings: ClientSettings, _ poller: SocketPoller) {
        guard let multi = ccurl_multi_init() else { return nil }
        self.settings = settings
        self.poller = poller
        self.multi = multi
        guard setOptions() else {
            ccurl_multi_cleanup(multi)
            return nil
        }
    }

    /// The time at which ``performTimer(at:)`` or ``isIdle(at:)`` must be called again.
    var nextTime: ContinuousClock.Instant? {
        guard let timer, let idleEnd else { return timer ?? idleEnd }
        return min(timer, idleEnd)
    }

    func isIdle(at now: ContinuousClock.Instant) -> Bool { idleEnd.map { $0 <= now } ?? false }

    func isUnfinished(_ id: Exchange.ID) -> Bool { unfinished.contains(id) }

    /// Starts an exchange, or queues it until a connection is free.
    func add(_ exchange: Exchange) {
        idleEnd = nil
        unfinished.insert(exchange.id)
        let origin = ServiceURL.origin(of: exchange.request.url)
        if hasRoom(at: origin) {
            begin(exchange, origin)
        } else {
            waiting[origin, default: []].append(exchange)
        }
    }

    /// Lets libcurl handle the events of a socket.
    func perform(_ socket: Int32, _ state: Int32) {
        var running: Int32 = 0
        ccurl_multi_socket_action(multi, socket, state, &running)
        finishCompleted()
    }

    /// Lets libcurl handle its timers if they are due.
    func performTimer(at now: ContinuousClock.Instant) {
        guard let timer, timer <= now else { return }
        self.timer = nil
        perform(-1, 0)
    }

    /// Cancels an exchange. A request that has not been sent is never sent.
    func abandon(_ id: Exchange.ID, _ reason: TransportFailure) {
        if let transfer = transfers[id] {
            remove(transfer)
            finish(transfer.exchange, .failure(RequestFailure(reason, mayBeSent: transfer.mayBeSent)))
        } else if let (origin, index) = placeInLine(of: id), let exchange = waiting[origin]?.remove(at: index) {
            finish(exchange, .failure(RequestFailure(reason, mayBeSent: false)))
        }
        startWaiting()
    }

    /// Cancels all exchanges and closes all connections. The object must not be used afterwards.
    func close() {
        let line = waiting.values.joined()
        waiting = [:]
        for exchange in line { finish(exchange, .failure(RequestFailure(.cancelled, mayBeSent: false))) }
        for id in Array(transfers.keys) { abandon(id, .cancelled) }
        ccurl_multi_cleanup(multi)
    }

    private func setOptions() -> Bool {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let areCallbacksSet = ccurl_multi_set_callbacks(
            multi,
            { _, socket, interest, context, _ in
                guard let context else { return 0 }
                let client = Unmanaged<ClientTransfers>.fromOpaque(context).takeUnretainedValue()
                client.poller.watch(socket, interest, for: client.settings.id)
                return 0
            },
            { _, milliseconds, context in
                guard let context else { return 0 }
                let client = Unmanaged<ClientTransfers>.fromOpaque(context).takeUnretainedValue()
                client.timer = milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
                return 0
            },
            context
        )
        guard areCallbacksSet != 0, set(CURLMOPT_MAXCONNECTS, Self.maximumIdleConnections) else { return false }
        switch settings.configuration.version {
        case .http1: return set(CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))
        case .http2:
            return set(CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX)) && set(CURLMOPT_MAX_HOST_CONNECTIONS, 1)
                && set(CURLMOPT_MAX_CONCURRENT_STREAMS, Self.maximumStreams)
        }
    }

    private func set(_ option: CURLMoption, _ value: Int) -> Bool { ccurl_multi_set_long(multi, option, value) != 0 }

    /// Returns whether the origin's limit of connections, or of streams on its one HTTP/2 connection, allows another
    /// exchange.
    ///
    /// libcurl's own limit is not used: libcurl queues the requests for all hosts together, so a busy host would delay
    /// other hosts.
    private func hasRoom(at origin: String) -> Bool {
        let configuration = settings.configuration
        let maximum = configuration.version == .http2 ? Self.maximumStreams : configuration.maximumConnectionsPerHost
        return active[origin, default: 0] < max(1, maximum)
    }

    private func begin(_ exchange: Exchange, _ origin: String) {
        sockets.shutDownEnded(
            unless: { poller.isWatched($0, for: settings.id) },
            isInputExpected: settings.configuration.version == .http2
        )
        guard let transfer = Transfer(exchange, origin, opened),
            ccurl_multi_add_handle(multi, transfer.easy) == CURLM_OK
        else {
            finish(exchange, .failure(RequestFailure(.connectionLost, mayBeSent: false)))
            rest()
            return
        }
        transfers[exchange.id] = transfer
        active[origin, default: 0] += 1
    }

    private func opened(_ socket: Int32) {
        poller.reopened(socket, for: settings.id)
        sockets.add(socket)
    }

    private func finishCompleted() {
        var count: Int32 = 0
        while let message = ccurl_multi_info_read(multi, &count) {
            guard message.pointee.msg == CURLMSG_DONE else { continue }
            // The message is invalid once the handle is removed.
            let (easy, code) = (message.pointee.easy_handle, message.pointee.data.result)
            guard let easy, let transfer = Transfer.of(easy) else { continue }
            let outcome = transfer.outcome(code)
            remove(transfer)
            finish(transfer.exchange, outcome)
        }
        startWaiting()
    }

    private func remove(_ transfer: Transfer) {
        ccurl_multi_remove_handle(multi, transfer.easy)
        transfers[transfer.exchange.id] = nil
        let count = active[transfer.origin, default: 1] - 1
        active[transfer.origin] = count > 0 ? count : nil
    }

    private func finish(_ exchange: Exchange, _ outcome: Exchange.Outcome) {
        unfinished.remove(exchange.id)
        exchange.finish(outcome)
    }

    private func placeInLine(of id: Exchange.ID) -> (origin: String, index: Int)? {
        for (origin, line) in waiting {
            if let index = line.firstIndex(where: { $0.id == id }) { return (origin, index) }
        }
        return nil
    }

    private func startWaiting() {
        for origin in Array(waiting.keys) {
            while hasRoom(at: origin), let exchange = waiting[origin]?.popFirst() { begin(exchange, origin) }
            if waiting[origin]?.isEmpty ?? false { waiting[origin] = nil }
        }
        rest()
    }

    /// Starts the idle timeout if there are no exchanges.
    private func rest() {
        guard idleEnd == nil, transfers.isEmpty, waiting.isEmpty else { return }
        idleEnd = .now + settings.configuration.maximumIdleTime
    }
}
