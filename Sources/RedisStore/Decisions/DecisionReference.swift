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
        self.init(number: requestID.stableHash >> 4)
    }

    private init(number: UInt64) {
        self.number = number
        digits = String(
            decoding: (0..<12).map { Self.alphabet[Int(number >> UInt64(55 - 5 * $0)) & 31] },
            as: UTF8.self
        )
    }

    /// Reads what a user says: in any case, with or without dashes, with O for 0 and I or L for 1; nil for what is no reference.
    public init?(_ text: String) {
        var number: UInt64 = 0
        var count = 0
        for byte in text.uppercased().utf8 where byte != UInt8(ascii: "-") && byte != UInt8(ascii: " ") {
            guard let value = Self.value(of: byte), count < 12 else { return nil }
            number = number << 5 | UInt64(value)
            count += 1
        }
        guard count == 12 else { return nil }
        self.init(number: number)
    }

    private static func value(of byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "O"): 0
        case UInt8(ascii: "I"), UInt8(ascii: "L"): 1
        default: alphabet.firstIndex(of: byte)
        }
    }

    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
}
