/// The one spelling of numbers that a numbering plan writes in two ways, with and without a mobile token: a digit
/// between the calling code and the area code.
///
/// - Argentina: `+54 9 11 2345 6789` and `+54 11 2345 6789` reach one subscriber. The first form is that of mobile
///   numbers, which receive text messages.
/// - Mexico: `+52 1 55 1234 5678` has been `+52 55 1234 5678` since August 2019, and the prefixes 01, 044 and 045 of
///   calls within the country are no longer dialed.
///
/// The rules depend on the digits alone, not on numbering data, because a number's spelling must not change with them:
/// accounts are found by it. If an Argentine fixed line has the digits of a number without the token, no one else gets
/// its codes: they are sent to the canonical number only.
enum CanonicalDigits {
    private static let area: UInt64 = 10_000_000_000

    /// Returns the canonical digits of a number, from its calling code on.
    static func of(_ digits: UInt64) -> UInt64 {
        let (prefix, rest) = digits.quotientAndRemainder(dividingBy: area)
        switch prefix {
        // Area codes begin with 1, 2 or 3, unlike those of toll-free and shared-cost numbers.
        case 54 where (1...3).contains(rest / (area / 10)): return 549 * area + rest
        case 521, 5201, 52044, 52045: return 52 * area + rest
        default: return digits
        }
    }
}
