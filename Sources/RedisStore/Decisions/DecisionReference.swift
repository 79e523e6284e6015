internal import Encodings

/// What a decision about a request is called, for the user who asks why: `7K3M-9QXA-2BCD`.
///
/// It follows from the front end's name for the request, so it is known before anything is decided, and a request that is repeated keeps it.
public struct DecisionReference: Hashable, Sendable {
    /// Twelve of Crockford's base 32 digits, as they stand in Redis.
    let digits: String
    let number: UInt64

    /// Groups of four digits, as people read them.
    public var text: String {
        var text = Array(digits.utf8)
        for place in [8, 4] { text.insert(UInt8(ascii: "-"), at: place) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The reference of a request.
    public init(requestID: String) {
        // Names need to differ, not to be hard to find.
        self.init(number: requestID.stableHash() >> 4)
    }

    private init(number: UInt64) {
        self.number = number
        digits = String(
            decoding: (0..<Self.digitCount).map { CrockfordBase32.digit(number >> UInt64(55 - 5 * $0)) },
            as: UTF8.self
        )
    }

    private static let digitCount = 12

    /// Reads what a user says: in any case, with or without dashes, with O for 0 and I or L for 1; nil for what is no reference.
    public init?(_ text: String) {
        guard let values = CrockfordBase32.values(of: text, count: Self.digitCount) else { return nil }
        self.init(number: values.reduce(0) { $0 << 5 | UInt64($1) })
    }
}
