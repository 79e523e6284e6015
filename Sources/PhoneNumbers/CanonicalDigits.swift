/// The one spelling of numbers that a numbering plan writes in two ways, with and without a mobile token: a digit
/// between the calling code and the area code.
///
/// - Argentina: `+54 9 11 2345 6789` and `+54 11 2345 6789` reach one subscriber. The first form is that of mobile
///   numbers, which receive text messages. Within the country, a 15 after the area code stands for the 9, and people
///   also write both: `+54 9 11 15 2345 6789`.
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
        default: return withoutArgentineMobilePrefix(digits) ?? digits
        }
    }

    /// Returns the number without a 15 after its area code; nil if it has none. The area code and the subscriber's
    /// number have ten digits together. The only area code of two digits is 11; the others have three or four.
    private static func withoutArgentineMobilePrefix(_ digits: UInt64) -> UInt64? {
        let (prefix, rest) = digits.quotientAndRemainder(dividingBy: 100 * area)
        guard prefix == 54 || prefix == 549 else { return nil }
        let subscribers: [UInt64] =
            switch rest / area {
            case 11: [100_000_000]
            case 20...39: [10_000_000, 1_000_000]
            default: []
            }
        for numbers in subscribers where rest / numbers % 100 == 15 {
            return 549 * area + rest / numbers / 100 * numbers + rest % numbers
        }
        return nil
    }
}
