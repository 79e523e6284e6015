internal import PhoneAuth
internal import RedisScripts

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

extension RetryBackoff {
    /// The delay between two attempts at the same item.
    static let betweenAttempts = RetryBackoff(first: .milliseconds(250), maximum: .seconds(10))

    /// Returns the delay after this many failures, with jitter.
    func delay(afterFailures failures: Int, retryAfter: Duration? = nil) -> Duration {
        var generator = SystemRandomNumberGenerator()
        return delay(afterFailures: failures, retryAfter: retryAfter, using: &generator)
    }
}
