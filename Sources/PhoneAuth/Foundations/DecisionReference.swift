internal import Encodings

/// The reference of a decision, which a user can quote to ask why: `7K3M-9QXA-2BCD`.
///
/// It is derived from the front end's request id, so it is known before any decision, and a retried request keeps it.
public struct DecisionReference: Hashable, Sendable {
    /// Twelve digits of Crockford's base 32, as in Redis.
    let digits: String
    private let number: UInt64

    /// The digits in groups of four, for people.
    public var text: String {
        var text = Array(digits.utf8)
        for place in [8, 4] { text.insert(UInt8(ascii: "-"), at: place) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Derives the reference of a request.
    public init(requestID: String) {
        // References must be distinct, not unguessable.
        self.init(number: requestID.stableHash() >> 4)
    }

    /// Which of a project's streams of decisions has the decision. It is found by reading the stream, so each one is
    /// short.
    var stream: UInt64 { number % Self.streams }

    static let streams: UInt64 = 64

    private init(number: UInt64) {
        self.number = number
        digits = String(
            decoding: (0..<Self.digitCount).map { CrockfordBase32.digit(number >> UInt64(55 - 5 * $0)) },
            as: UTF8.self
        )
    }

    private static let digitCount = 12

    /// Parses what a user types: any case, with or without dashes, O for 0, I or L for 1. Returns nil if it is not a
    /// reference.
    public init?(_ text: String) {
        guard let values = CrockfordBase32.values(of: text, count: Self.digitCount) else { return nil }
        self.init(number: values.reduce(0) { $0 << 5 | UInt64($1) })
    }
}
