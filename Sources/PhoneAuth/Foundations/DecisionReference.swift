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
        String(byteCount: Self.digitCount + 2) { text in
            for (place, digit) in digits.utf8.enumerated() {
                if place == 4 || place == 8 { text.append("-") }
                text.append(digit)
            }
        }
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
        digits = String(byteCount: Self.digitCount) { digits in
            for shift in stride(from: 55, through: 0, by: -5) {
                digits.append(CrockfordBase32.digit(UInt8(truncatingIfNeeded: number >> shift)))
            }
        }
    }

    private static let digitCount = 12

    /// Parses what a user types: any case, with or without dashes, O for 0, I or L for 1. Returns nil if it is not a
    /// reference.
    public init?(_ text: String) {
        guard let values = CrockfordBase32.values(of: text, count: Self.digitCount) else { return nil }
        self.init(number: values.reduce(0) { $0 << 5 | UInt64($1) })
    }
}
