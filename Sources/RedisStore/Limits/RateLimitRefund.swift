/// A counted event that can be taken back from the limits in which one call counted it (refund).
public struct RateLimitRefund: Hashable, Sendable {
    /// A limit that counted the event.
    struct Counted: Hashable, Sendable {
        let limit: RateLimit
        /// The limit's position among those of the reservation.
        let position: Int
        /// The bucket that counted the event; nil if the limit stores each event.
        let bucket: Int64?
    }

    let eventID: String
    private(set) var counted: [Counted] = []

    /// Describes an event that no limit counted.
    init(eventID: String) { self.eventID = eventID }

    mutating func add(_ limit: RateLimit, at position: Int, bucket: Int64?) {
        counted.append(Counted(limit: limit, position: position, bucket: bucket))
    }

    /// Whether the call counted the event in no limit.
    var isEmpty: Bool { counted.isEmpty }

    /// Returns the part of the refund for the reservation's limits from this position on.
    func limits(from position: Int) -> RateLimitRefund {
        var refund = self
        refund.counted.removeAll { $0.position < position }
        return refund
    }
}
