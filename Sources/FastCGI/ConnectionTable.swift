import CFastCGI
import Glibc
import Synchronization
import Threads

/// The number of open connections, and the parked connections, which wait in the poller and belong to no thread.
///
/// A parked connection's descriptor is always open, because only the thread that claims the connection can close it.
/// The table never closes a connection. It *retires* the connection: it shuts the connection down for reading, which
/// wakes the poller at once. The thread that claims the connection answers a request that has already arrived
/// completely. Otherwise it reads the end and closes the connection as usual.
final class ConnectionTable: Sendable {
    private enum Slot {
        case absent
        case parked(since: ContinuousClock.Instant, isFresh: Bool)
        case retired
    }

    private struct State {
        var phase = ServerPhase.running
        var open = 0
        /// The number of connections that are retired but not yet claimed.
        var retired = 0
        /// When a thread last completed a request or closed a connection.
        var progressed = ContinuousClock.now
        /// Indexed by descriptor: the kernel assigns the lowest free number, so the array is as long as the peak number
        /// of descriptors.
        var slots: [Slot] = []
    }

    private let state = Mutex(State())
    private let hasBegunDraining = Atomic(false)
    private let limit: Int
    private let acceptsWhileDraining: Bool
    private let whenEmpty: WakeUp

    /// Creates a table. `whenEmpty` is signaled when the last connection closes after draining has begun.
    init(limit: Int, acceptsWhileDraining: Bool, whenEmpty: WakeUp) {
        self.limit = limit
        self.acceptsWhileDraining = acceptsWhileDraining
        self.whenEmpty = whenEmpty
    }

    /// Whether each response is the last on its connection.
    var isStopping: Bool { hasBegunDraining.load(ordering: .relaxed) }

    /// The number of open connections, including those about to be accepted.
    var openCount: Int { state.withLock { $0.open } }

    /// Returns whether this many connections have been in the hands of threads for a duration without progress.
    func isStuck(_ threads: Int, for duration: Duration) -> Bool {
        state.withLock { state in
            guard ContinuousClock.now - state.progressed >= duration else { return false }
            let parked = state.slots.count { if case .parked = $0 { true } else { false } }
            return state.open - parked >= threads
        }
    }

    /// Counts a connection that is about to be accepted. Returns false if the connection must wait or is no longer
    /// accepted.
    ///
    /// At the limit, the connection that has been parked longest is retired. The new one waits in the listen queue
    /// until the retired one is closed. A thread of the same poller does that next, so no other process can delay it.
    func admit() -> Bool {
        state.withLock { state in
            switch state.phase {
            case .running: break
            case .draining where acceptsWhileDraining: break
            case .draining, .closing: return false
            }
            guard state.open >= limit else {
                state.open += 1
                return true
            }
            if state.open - state.retired >= limit { Self.retireOldest(&state) }
            return false
        }
    }

    /// Counts a closed connection, or an admitted one that was not accepted.
    func closed() {
        let isLast = state.withLock { state in
            state.open -= 1
            state.progressed = .now
            return state.open == 0 && state.phase != .running
        }
        if isLast { whenEmpty.signal() }
    }

    /// Records a connection as parked. A fresh connection has not sent anything yet. Returns false if the connection
    /// must be closed instead; the caller then still owns it.
    func park(_ descriptor: Int32, isFresh: Bool) -> Bool {
        state.withLock { state in
            guard state.phase != .closing else { return false }
            let index = Int(descriptor)
            while state.slots.count <= index { state.slots.append(.absent) }
            state.progressed = .now
            state.slots[index] = .parked(since: state.progressed, isFresh: isFresh)
            return true
        }
    }

    /// Passes a parked connection to the thread that the poller woke for it.
    func claim(_ descriptor: Int32) -> Connection {
        state.withLock { state in
            if case .retired = state.slots[Int(descriptor)] { state.retired -= 1 }
            state.slots[Int(descriptor)] = .absent
        }
        return Connection(owning: descriptor, isRegistered: true)
    }

    /// Retires connections that have sent nothing since they were accepted, if they were accepted at least this long
    /// ago.
    func retireSilent(for duration: Duration) {
        state.withLock { state in
            let limit = ContinuousClock.now - duration
            for index in state.slots.indices {
                if case .parked(let since, isFresh: true) = state.slots[index], since <= limit {
                    Self.retire(index, &state)
                }
            }
        }
    }

    /// Begins draining: each connection closes after its next response.
    func beginDraining() {
        state.withLock { $0.phase = .draining }
        hasBegunDraining.store(true, ordering: .relaxed)
    }

    /// Retires all parked connections. Afterwards no connection is parked or admitted.
    func beginClosing() {
        state.withLock { state in
            state.phase = .closing
            for index in state.slots.indices {
                if case .parked = state.slots[index] { Self.retire(index, &state) }
            }
        }
    }

    private static func retireOldest(_ state: inout State) {
        var oldest: (index: Int, since: ContinuousClock.Instant)?
        for index in state.slots.indices {
            guard case .parked(let since, _) = state.slots[index] else { continue }
            if oldest.map({ since < $0.since }) ?? true { oldest = (index, since) }
        }
        if let oldest { retire(oldest.index, &state) }
    }

    private static func retire(_ index: Int, _ state: inout State) {
        shutdown(Int32(index), Int32(SHUT_RD))
        state.slots[index] = .retired
        state.retired += 1
    }
}

/// The phases of a server, in order.
enum ServerPhase {
    /// Serving.
    case running
    /// Stopping: new requests are still answered, and each connection closes after its response.
    case draining
    /// Idle connections are being closed; requests in progress are completed.
    case closing
}

/// An accepted connection that exactly one thread owns.
///
/// A connection is not copyable. It closes when it goes out of scope, unless it was released. If a descriptor is closed
/// twice, the second close may hit another connection; here, closing twice does not compile.
struct Connection: ~Copyable {
    private let descriptor: Int32
    /// Whether the connection is registered with the poller.
    let isRegistered: Bool

    init(owning descriptor: Int32, isRegistered: Bool) {
        self.descriptor = descriptor
        self.isRegistered = isRegistered
    }

    deinit {
        close(descriptor)
    }

    /// The descriptor, which the connection still owns.
    var number: Int32 { descriptor }

    /// Releases the descriptor: the caller must close it.
    consuming func release() -> Int32 {
        let number = descriptor
        discard self
        return number
    }

    /// Sets the timeout of each blocking read and write.
    borrowing func setTimeout(_ timeout: Duration) {
        var limit = timeval(timeout)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    }

    /// Returns whether a read would return at once, with bytes, the end or an error.
    borrowing func isReadable() -> Bool {
        peek() >= 0 || errno != EAGAIN
    }

    /// Returns whether there are unread bytes.
    borrowing func hasBytes() -> Bool {
        peek() > 0
    }

    /// Returns whether the peer has closed the connection, so that no one would read a response.
    ///
    /// This also works if the web server is on another machine. Comparing arrival times would require synchronized
    /// clocks.
    borrowing func isClosedByPeer() -> Bool {
        cfastcgi_is_closed_by_peer(descriptor) != 0
    }

    private borrowing func peek() -> Int {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
    }

    /// Makes the peer's next write fail (on a Unix socket), so that only requests that were already sent remain to be
    /// answered.
    borrowing func refuseRequests() {
        shutdown(descriptor, Int32(SHUT_RD))
    }

    /// Sends all bytes. Returns false if the peer has closed the connection or reads nothing within the timeout.
    ///
    /// The kernel buffers most responses at once. While the rest of a long one waits for the peer to read, the thread
    /// steps aside, so that other requests do not wait.
    borrowing func send(_ bytes: [UInt8]) -> Bool {
        let descriptor = descriptor
        return bytes.withUnsafeBytes { bytes in
            let sent = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            if sent == bytes.count { return true }
            guard sent >= 0 || errno == EAGAIN else { return false }
            var rest = UnsafeRawBufferPointer(rebasing: bytes[max(0, sent)...])
            return ActiveThreads.stepAside {
                while !rest.isEmpty {
                    let sent = Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                    guard sent > 0 else { return false }
                    rest = UnsafeRawBufferPointer(rebasing: rest[sent...])
                }
                return true
            }
        }
    }

    /// Closes the write direction, and discards what the peer still sends.
    ///
    /// Closing a socket with unread bytes resets the connection, and the peer may lose the response.
    borrowing func drain(for limit: Duration) {
        let descriptor = descriptor
        shutdown(descriptor, Int32(SHUT_WR))
        let deadline = ContinuousClock.now + limit
        ActiveThreads.stepAside {
            withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { trash in
                while recv(descriptor, trash.baseAddress, trash.count, 0) > 0, ContinuousClock.now < deadline {}
            }
        }
    }
}

extension timeval {
    /// Creates a time of at least one microsecond, because for a socket, zero means no timeout.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        if tv_sec <= 0 && tv_usec <= 0 { self = timeval(tv_sec: 0, tv_usec: 1) }
    }
}
