import CFastCGI
import Glibc
import Synchronization

/// Counts the open connections and knows the parked ones: those that wait in the poller and belong to no thread.
///
/// A parked connection's descriptor is open for sure, because only the thread that claims it can close it. The table
/// itself never closes one. It *retires* it: shut down for reading, it wakes the poller at once; the thread that claims
/// it still finds and answers a request that had arrived whole, and otherwise the end, and closes it as usual.
final class ConnectionTable: Sendable {
    private enum Slot {
        case absent
        case parked(since: ContinuousClock.Instant, isFresh: Bool)
        case retired
    }

    private struct State {
        var phase = ServerPhase.running
        var open = 0
        /// Retired and not claimed yet.
        var retired = 0
        /// By descriptor: the system gives the lowest free number, so the table is as long as the busiest moment.
        var slots: [Slot] = []
    }

    private let state = Mutex(State())
    private let hasBegunDraining = Atomic(false)
    private let limit: Int
    private let acceptsWhileDraining: Bool
    private let whenEmpty: WakeUp

    /// `whenEmpty` is signalled by the last connection that closes once the server is stopping.
    init(limit: Int, acceptsWhileDraining: Bool, whenEmpty: WakeUp) {
        self.limit = limit
        self.acceptsWhileDraining = acceptsWhileDraining
        self.whenEmpty = whenEmpty
    }

    /// Whether each answer is the last on its connection.
    var isStopping: Bool { hasBegunDraining.load(ordering: .relaxed) }

    /// Open connections, those about to be accepted included.
    var openCount: Int { state.withLock { $0.open } }

    /// Counts a connection that is about to be accepted; false when it must wait or is not wanted any more.
    ///
    /// At the limit, the one parked longest is retired. The new one stays in the listening queue until that is closed,
    /// which a thread of this very poller does next: nothing waits for a stranger.
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

    /// Takes back an admission whose connection did not come, or counts a closed connection.
    func closed() {
        let isLast = state.withLock { state in
            state.open -= 1
            return state.open == 0 && state.phase != .running
        }
        if isLast { whenEmpty.signal() }
    }

    /// Notes a connection as parked. A fresh one has not sent anything yet.
    /// False when it has to close instead; the caller still owns it then.
    func park(_ descriptor: Int32, isFresh: Bool) -> Bool {
        state.withLock { state in
            guard state.phase != .closing else { return false }
            let index = Int(descriptor)
            while state.slots.count <= index { state.slots.append(.absent) }
            state.slots[index] = .parked(since: .now, isFresh: isFresh)
            return true
        }
    }

    /// Gives a parked connection to the thread that the poller woke for it.
    func claim(_ descriptor: Int32) -> Connection {
        state.withLock { state in
            if case .retired = state.slots[Int(descriptor)] { state.retired -= 1 }
            state.slots[Int(descriptor)] = .absent
        }
        return Connection(owning: descriptor, isRegistered: true)
    }

    /// Retires connections that have been silent since they were accepted, for this long.
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

    /// From here on, each connection closes after its next answer.
    func beginDraining() {
        state.withLock { $0.phase = .draining }
        hasBegunDraining.store(true, ordering: .relaxed)
    }

    /// Retires all parked connections; from here on, none is parked or admitted.
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
