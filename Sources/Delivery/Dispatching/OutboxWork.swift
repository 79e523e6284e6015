internal import PhoneAuth
internal import Threads

/// The work on the items of an outbox.
protocol OutboxWork: Sendable {
    associatedtype Content: OutboxContent
    /// The resources that admission reserved for an attempt.
    associatedtype Reservation: Sendable
    associatedtype Result: Sendable

    /// The name of the outbox in logs.
    var name: String { get }

    /// Reserves the resources of an attempt. An item for which there is no room returns to the outbox before any work
    /// is done.
    func admit(_ content: Content) -> Admission<Reservation>

    /// Makes one attempt, which consumes the reservation.
    ///
    /// - Parameters:
    ///   - content: the item.
    ///   - reservation: the reservation from ``admit(_:)``.
    ///   - outbox: for queries during the attempt; shared with other attempts.
    /// - Returns: the outcome of the attempt.
    func carryOut(
        _ content: Content,
        _ reservation: Reservation,
        _ outbox: OutboxConnection<Content>
    ) async -> AttemptOutcome<Result>

    /// Returns the room that each destination has for items that wait in the outbox.
    func room() -> [String: DestinationRoom]

    /// Records the final outcome and removes the item from the outbox.
    func finish(_ content: Content, _ result: Result, _ authenticator: Authenticator) throws(StoreUnavailable)

    /// Performs maintenance, every few seconds.
    func runMaintenance(_ authenticator: Authenticator) throws(StoreUnavailable)
}

/// Whether an item can be worked on now.
enum Admission<Reservation: Sendable> {
    case admitted(Reservation)
    case postponed(Postponement)
}

/// The outcome of an attempt.
enum AttemptOutcome<Result: Sendable>: Sendable {
    /// The final outcome is known.
    case over(Result)
    /// Another attempt must follow.
    case postponed(Postponement)
}

extension Backoff {
    /// The delay between two attempts at the same item.
    static let betweenAttempts = Backoff(first: .milliseconds(250), maximum: .seconds(10), jitter: 0...1)

    /// Returns the delay after this many failures. It is added to the `Retry-After` of APNs or a gateway.
    func delay(afterFailures failures: Int, notBefore retryAfter: Duration?) -> Duration {
        (retryAfter ?? .zero) + delay(afterFailures: failures)
    }
}

extension CountingGate {
    /// Divides a dispatcher's capacity among the destinations of an outbox, so that a destination that hangs cannot
    /// take the capacity of the others. Each gets at most `most` items.
    convenience init(destinations: Int, most: Int = .max) {
        self.init(maximum: DispatcherLimits.maximumHeld, owners: destinations, most: most)
    }

    /// Returns the room of destinations for waiting items. A destination that is nearly full reports none: fetching a
    /// few items at a time would cost more Redis calls than it gains.
    func room(of destinations: [String]) -> [String: DestinationRoom] {
        let room = destinations.map { name in
            let free = share - count(of: name)
            return (name, DestinationRoom.items(free * 4 >= share ? free : 0))
        }
        return Dictionary(room) { first, _ in first }
    }
}
