import CFastCGI
import Glibc

/// What all request threads wait on together: one epoll instance.
///
/// The listening socket and the leave signal are level-triggered: they wake threads until somebody deals with them.
/// A connection is one-shot: one thread is woken and then owns it until it arms it again.
struct Poller: Sendable {
    enum Event {
        case leave
        case newConnection
        case connection(Int32)
    }

    private let epoll: Descriptor
    private let listener: Int32
    private let leave: WakeUp

    /// The listener is added without EPOLLEXCLUSIVE: that wakes one process only, and if its thread takes another
    /// connection's event first, the new one waits although siblings are idle.
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

    /// Wakes one thread at the connection's next byte or end.
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
