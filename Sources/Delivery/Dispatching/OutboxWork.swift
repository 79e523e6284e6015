internal import PhoneAuth
internal import RedisStore

/// What is done with what lies in an outbox.
protocol OutboxWork: Sendable {
    associatedtype Content: OutboxContent
    /// What an attempt needs and admission reserved for it.
    associatedtype Reservation: Sendable
    associatedtype Result: Sendable

    /// Names the outbox in logs.
    var name: String { get }

    /// Reserves what an attempt needs. What finds no room goes back to the outbox before anything is done for it.
    func admit(_ content: Content) -> Admission<Reservation>

    /// Makes one attempt, which uses up the reservation.
    ///
    /// - Parameters:
    ///   - content: what was taken.
    ///   - reservation: what ``admit(_:)`` reserved.
    ///   - outbox: for questions on the way; others wait for the same connection.
    /// - Returns: how the attempt ended.
    func carryOut(
        _ content: Content,
        _ reservation: Reservation,
        _ outbox: OutboxConnection<Content>
    ) async -> AttemptOutcome<Result>

    /// What each destination can take of what waits in the outbox.
    func room() -> [String: DestinationRoom]

    /// Records the fate and takes it off the outbox.
    func finish(_ content: Content, _ result: Result, _ authenticator: Authenticator) throws(StoreUnavailable)

    /// What is to be looked after every few seconds.
    func lookAfter(_ authenticator: Authenticator) throws(StoreUnavailable)
}

/// Whether there is room to work on something now.
enum Admission<Reservation: Sendable> {
    case admitted(Reservation)
    case postponed(Postponement)
}

/// How an attempt ended.
enum AttemptOutcome<Result: Sendable>: Sendable {
    /// The fate is known.
    case over(Result)
    /// Another attempt has to follow.
    case postponed(Postponement)
}

extension RetryBackoff {
    /// Between two attempts at the same item.
    static let betweenAttempts = RetryBackoff(first: .milliseconds(250), maximum: .seconds(10))

    /// How long to wait after this many failures, with a random part.
    func delay(afterFailures failures: Int, retryAfter: Duration? = nil) -> Duration {
        var generator = SystemRandomNumberGenerator()
        return delay(afterFailures: failures, retryAfter: retryAfter, using: &generator)
    }
}

/// Waiting that ends when the dispatcher is told to stop.
final class Patience: Sendable {
    private let isStopped: @Sendable () -> Bool

    init(until isStopped: @escaping @Sendable () -> Bool) {
        self.isStopped = isStopped
    }

    /// Waits; false where a stop comes before the time is over.
    @discardableResult func pause(_ duration: Duration) async -> Bool {
        let end = ContinuousClock.now + duration
        while ContinuousClock.now < end {
            guard !isStopped() else { return false }
            try? await Task.sleep(for: min(.milliseconds(100), end - .now))
        }
        return true
    }

    /// Waits longer after each failure; false where a stop comes before the time is over.
    @discardableResult func pause(afterFailures failures: Int) async -> Bool {
        await pause(RetryBackoff.betweenAttempts.delay(afterFailures: failures))
    }
}
