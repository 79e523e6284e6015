/// Exponential backoff with jitter for a server that cannot be reached.
///
/// Each failure doubles the delay, up to a maximum. The jitter prevents the threads of many workers from reconnecting
/// at the same time.
struct Backoff {
    private let first: Duration
    private let maximum: Duration
    private var delay: Duration
    private var notBefore: ContinuousClock.Instant?

    init(first: Duration, maximum: Duration) {
        self.first = first
        self.maximum = maximum
        delay = first
    }

    func isOver(at now: ContinuousClock.Instant) -> Bool {
        guard let notBefore else { return true }
        return now >= notBefore
    }

    /// How long to wait from now on.
    func remaining(at now: ContinuousClock.Instant) -> Duration {
        notBefore.map { max(.zero, now.duration(to: $0)) } ?? .zero
    }

    mutating func succeeded() {
        delay = first
        notBefore = nil
    }

    mutating func failed(at now: ContinuousClock.Instant) {
        notBefore = now + delay * Double.random(in: 0.5...1)
        delay = min(delay * 2, maximum)
    }
}
