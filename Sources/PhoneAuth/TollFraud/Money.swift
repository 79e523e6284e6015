internal import Encodings

/// An amount of money in the one currency that the operator's settings are in, exact to a millionth.
public struct Money: Hashable, Comparable, Sendable {
    /// Millionths.
    public let micros: Int64

    /// No money.
    public static let zero = Money(micros: 0)

    /// An amount in millionths.
    public init(micros: Int64) {
        self.micros = micros
    }

    /// Reads an amount such as `0.0079`: up to nine digits, and up to six behind the point. nil for anything else.
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

    /// Whether `left` is less.
    public static func < (left: Money, right: Money) -> Bool { left.micros < right.micros }

    /// The sum.
    public static func + (left: Money, right: Money) -> Money { Money(micros: left.micros + right.micros) }
}

extension Money: CustomStringConvertible {
    /// With two digits behind the point, more where it has more: `12.50`, `0.0079`.
    public var description: String {
        let magnitude = micros.magnitude
        var fraction = String(magnitude % 1_000_000, digits: 6)
        while fraction.count > 2 && fraction.last == "0" { fraction.removeLast() }
        return "\(micros < 0 ? "-" : "")\(magnitude / 1_000_000).\(fraction)"
    }
}
