internal import Encodings

/// The digits of a phone number as typed, in international form.
///
/// Anything but digits and the usual separators is rejected, such as vanity letters, extensions, `tel:` URIs or a
/// second number. Parsing and the cache receive only one integer.
enum DialedDigits {
    /// The longest text that is read. It suffices for every number in full-width digits with a separator after each
    /// pair.
    static let longestTextBytes = 64

    /// The most digits that the integer can hold: the 15 of E.164, and a superfluous national prefix.
    private static let mostDigits = 19

    /// Reads `+` and digits, with separators between them and white space around them.
    ///
    /// - Throws: ``PhoneNumberError/malformed``, ``PhoneNumberError/tooLong`` or, for a leading zero,
    ///   ``PhoneNumberError/unknownCallingCode``.
    static func read(_ text: UTF8Span) throws(PhoneNumberError) -> UInt64 {
        guard text.count <= longestTextBytes else { throw .malformed }
        var scalars = text.makeUnicodeScalarIterator()
        var digits: UInt64 = 0
        var count = 0
        var hasPlus = false
        var hasEnded = false

        while let scalar = scalars.next() {
            if let digit = scalar.decimalDigit {
                guard hasPlus, !hasEnded else { throw .malformed }
                guard digit != 0 || count > 0 else { throw .unknownCallingCode }
                count += 1
                if count <= mostDigits { digits = digits * 10 + UInt64(digit) }
            } else if !hasPlus, isPlus(scalar) {
                hasPlus = true
            } else if hasPlus, isSeparator(scalar) {
                continue
            } else if isMargin(scalar) {
                // White space before the plus sign, or after the last digit.
                if hasPlus { hasEnded = true }
            } else {
                throw .malformed
            }
        }
        guard count > 0 else { throw .malformed }
        guard count <= mostDigits else { throw .tooLong }
        return digits
    }

    static func isPlus(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "+" || scalar == "\u{FF0B}"
    }

    /// Returns whether a character between digits is ignored. Excludes `x`, `*` and tildes, which can start
    /// an extension.
    static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case " ", "-", "(", ")", ".", "/", "[", "]": true
        // Dashes, minus sign and prolonged sound mark.
        case "\u{2010}"..."\u{2015}", "\u{2212}", "\u{30FC}": true
        // Full-width hyphen, stop, slash, parentheses and brackets.
        case "\u{FF0D}"..."\u{FF0F}", "\u{FF08}", "\u{FF09}", "\u{FF3B}", "\u{FF3D}": true
        // Spaces, with and without width.
        case "\u{A0}", "\u{AD}", "\u{200B}", "\u{2060}", "\u{3000}": true
        default: false
        }
    }

    /// Returns whether a character may surround a number: white space, and the invisible direction marks that address
    /// books add to copied numbers.
    static func isMargin(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": true
        default: scalar.properties.isWhitespace
        }
    }
}

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
