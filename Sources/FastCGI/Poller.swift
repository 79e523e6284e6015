import CFastCGI
import Glibc
import Threads

/// The epoll instance on which all request threads wait.
///
/// The listening socket and the leave signal are level-triggered: they wake threads until they are handled. Connections
/// are one-shot: one thread is woken, and owns the connection until it arms it again.
struct Poller: Sendable {
    enum Event {
        case leave
        case newConnection
        case connection(Int32)
    }

    private let epoll: Descriptor
    private let listener: Int32
    private let leave: WakeUp

    /// Adds the listener without EPOLLEXCLUSIVE, which would wake only one process. If that process's thread received
    /// the event of another connection first, the new connection would wait although other processes are idle.
    init(listener: Int32, leave: WakeUp) throws(ServerError) {
        let number = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard number >= 0 else { throw .systemCall("epoll_create1", error: errno) }
        epoll = Descriptor(owning: number)
        self.listener = listener
        self.leave = leave
        for descriptor in [listener, leave.descriptor] {
            guard control(EPOLL_CTL_ADD, descriptor, EPOLLIN.rawValue) else {
                throw .systemCall("epoll_ctl", error: errno)
            }
        }
    }

    func wait() -> Event {
        var event = epoll_event()
        while epoll_wait(epoll.number, &event, 1, -1) != 1 {}
        return switch event.data.fd {
        case leave.descriptor: .leave
        case listener: .newConnection
        case let descriptor: .connection(descriptor)
        }
    }

    /// Arms a connection: its next byte or its end wakes one thread.
    func arm(_ descriptor: Int32, isRegistered: Bool) -> Bool {
        control(
            isRegistered ? EPOLL_CTL_MOD : EPOLL_CTL_ADD,
            descriptor,
            EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue
        )
    }

    func stopListening() {
        _ = control(EPOLL_CTL_DEL, listener, 0)
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ events: UInt32) -> Bool {
        var event = epoll_event()
        event.events = events
        event.data.fd = descriptor
        return epoll_ctl(epoll.number, operation, descriptor, &event) == 0
    }
}
