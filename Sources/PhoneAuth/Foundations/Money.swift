internal import Encodings

/// An amount of money in the single currency of the operator's settings, exact to a millionth.
public struct Money: Hashable, Comparable, Sendable {
    /// The amount in millionths.
    public let micros: Int64

    /// No money.
    public static let zero = Money(micros: 0)

    /// Creates an amount in millionths.
    public init(micros: Int64) {
        self.micros = micros
    }

    /// Parses an amount such as `0.0079`: up to nine digits, and up to six after the decimal point. Returns nil for
    /// anything else.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = Self.number(parts[0], digits: 1...9) else { return nil }
        guard parts.count == 2 else {
            self.init(micros: whole * 1_000_000)
            return
        }
        guard let fraction = Self.number(parts[1], digits: 1...6) else { return nil }
        let scale = (parts[1].utf8.count..<6).reduce(Int64(1)) { scale, _ in scale * 10 }
        self.init(micros: whole * 1_000_000 + fraction * scale)
    }

    private static func number(_ text: some StringProtocol, digits: ClosedRange<Int>) -> Int64? {
        guard digits.contains(text.utf8.count), text.isASCIIDigits else { return nil }
        return Int64(text)
    }

    /// Returns whether `left` is less than `right`.
    public static func < (left: Money, right: Money) -> Bool { left.micros < right.micros }

    /// Returns the sum.
    public static func + (left: Money, right: Money) -> Money { Money(micros: left.micros + right.micros) }

    /// Returns the price of `count` things.
    static func * (price: Money, count: Int) -> Money { Money(micros: price.micros * Int64(count)) }
}

extension Money: CustomStringConvertible {
    /// The amount with two digits after the decimal point, or more if needed: `12.50`, `0.0079`.
    public var description: String {
        let magnitude = micros.magnitude
        var fraction = String(magnitude % 1_000_000, digits: 6)
        while fraction.count > 2 && fraction.last == "0" { fraction.removeLast() }
        return "\(micros < 0 ? "-" : "")\(magnitude / 1_000_000).\(fraction)"
    }
}
