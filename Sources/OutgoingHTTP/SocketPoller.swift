internal import CCurl
internal import Encodings
internal import Glibc
internal import Threads

/// The sockets that libcurl waits for: one epoll instance for all clients.
///
/// `@unchecked Sendable`: the poller is handed to the loop's thread when the thread starts, and only that thread uses
/// it afterwards.
final class SocketPoller: @unchecked Sendable {
    private let epoll: Int32
    private let wakeUp: Int32
    private var watches: [Int32: Watch] = [:]
    private var events = [epoll_event](repeating: epoll_event(), count: 64)

    struct Event {
        let client: ClientSettings.ID
        let socket: Int32
        /// The events as libcurl's `CURL_CSELECT_…` flags.
        let state: Int32
    }

    /// The client that owns a socket, and the events that libcurl waits for.
    private struct Watch {
        let client: ClientSettings.ID
        let interest: UInt32
    }

    init?(_ wakeUp: WakeUp) {
        self.wakeUp = wakeUp.descriptor
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { return nil }
        guard control(EPOLL_CTL_ADD, wakeUp.descriptor, EPOLLIN.rawValue) else { return nil }
    }

    deinit { Glibc.close(epoll) }

    /// Waits for socket events, the wake-up or the timeout; nil waits without a timeout.
    func wait(atMost limit: Duration?) -> (events: [Event], isWoken: Bool) {
        // Rounded up: waking before a timer is due would run the loop needlessly.
        let milliseconds = limit.map { Int32(clamping: max(0, ($0 + .microseconds(999)).milliseconds)) } ?? -1
        let count = Int(epoll_wait(epoll, &events, Int32(events.count), milliseconds))
        var isWoken = false
        var found: [Event] = []
        for event in events.prefix(max(0, count)) {
            guard event.data.fd != wakeUp else {
                isWoken = true
                continue
            }
            guard let client = watches[event.data.fd]?.client else { continue }
            found.append(Event(client: client, socket: event.data.fd, state: Self.state(event.events)))
        }
        return (found, isWoken)
    }

    /// Applies a `CURL_POLL_…` request of libcurl to a socket.
    func watch(_ socket: Int32, _ curlEvents: Int32, for client: ClientSettings.ID) {
        guard curlEvents != CURL_POLL_REMOVE else {
            // libcurl may remove a socket that it closed earlier and whose descriptor another client has reused since.
            guard isWatched(socket, for: client) else { return }
            watches[socket] = nil
            _ = control(EPOLL_CTL_DEL, socket, 0)
            return
        }
        var interest: UInt32 = 0
        if curlEvents & CURL_POLL_IN != 0 { interest |= EPOLLIN.rawValue }
        if curlEvents & CURL_POLL_OUT != 0 { interest |= EPOLLOUT.rawValue }
        watches[socket] = Watch(client: client, interest: interest)
        // If a descriptor was closed and reused, this table and epoll may disagree about whether it is registered.
        if !control(EPOLL_CTL_MOD, socket, interest) { _ = control(EPOLL_CTL_ADD, socket, interest) }
    }

    /// Returns whether a client waits for a socket.
    func isWatched(_ socket: Int32, for client: ClientSettings.ID) -> Bool { watches[socket]?.client == client }

    /// Registers a socket that a client has just opened, if its descriptor is already watched.
    ///
    /// libcurl does not report that it closes a socket whose connection failed. If the next socket gets the same
    /// descriptor, libcurl assumes that the descriptor is still watched, but epoll has dropped it.
    func reopened(_ socket: Int32, for client: ClientSettings.ID) {
        guard let watch = watches[socket], watch.client == client else { return }
        _ = control(EPOLL_CTL_ADD, socket, watch.interest)
    }

    private static func state(_ events: UInt32) -> Int32 {
        var state: Int32 = 0
        if events & EPOLLIN.rawValue != 0 { state |= CURL_CSELECT_IN }
        if events & EPOLLOUT.rawValue != 0 { state |= CURL_CSELECT_OUT }
        if events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { state |= CURL_CSELECT_ERR }
        return state
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ interest: UInt32) -> Bool {
        var event = epoll_event()
        event.events = interest
        event.data.fd = descriptor
        return epoll_ctl(epoll, operation, descriptor, &event) == 0
    }
}
