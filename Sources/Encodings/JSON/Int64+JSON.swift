extension Int64 {
    /// Parses a whole number as proto3's JSON may spell it, with a fraction or an exponent: `300`, `300.0`, `3E2`.
    ///
    /// The same number may be a JSON number or a string. Returns nil if the text is not a number, if the number is not
    /// whole, or if it does not fit. Exact: nothing is rounded.
    public init?(wholeNumber text: String) {
        var rest = text.utf8[...]
        let isNegative = rest.consume("-")
        var digits = rest.consumeDigits()
        guard !digits.isEmpty else { return nil }
        var scale = 0
        if rest.consume(".") {
            let fraction = rest.consumeDigits()
            guard !fraction.isEmpty else { return nil }
            digits += fraction
            scale = -fraction.count
        }
        if rest.consume("eE") {
            let isReduced = rest.consume("-")
            if !isReduced { _ = rest.consume("+") }
            let exponent = rest.consumeDigits()
            guard !exponent.isEmpty else { return nil }
            // A longer exponent is larger than any text.
            let magnitude =
                exponent.drop { $0 == 0 }.count > 9 ? 1_000_000_000 : exponent.reduce(0) { $0 * 10 + Int($1) }
            scale += isReduced ? -magnitude : magnitude
        }
        guard rest.isEmpty else { return nil }
        while digits.last == 0 {
            digits.removeLast()
            scale += 1
        }
        // Zero has no digits now.
        guard digits.isEmpty || scale >= 0 else { return nil }
        var number: Int64 = 0
        for digit in digits {
            guard let next = number.appending(digit, isNegative) else { return nil }
            number = next
        }
        for _ in 0..<(number == 0 ? 0 : scale) {
            guard let next = number.appending(0, isNegative) else { return nil }
            number = next
        }
        self = number
    }

    /// Appends a decimal digit; nil on overflow. Negative numbers grow downwards, so that the least one fits.
    private func appending(_ digit: Int64, _ isNegative: Bool) -> Int64? {
        let (tens, isTooLarge) = multipliedReportingOverflow(by: 10)
        let (sum, overflows) = tens.addingReportingOverflow(isNegative ? -digit : digit)
        return isTooLarge || overflows ? nil : sum
    }
}

extension JSONValue {
    /// The whole number that this number or string spells (``Swift/Int64/init(wholeNumber:)``); nil if it is none.
    public var wholeNumber: Int64? {
        switch self {
        case .number(let text), .string(let text): Int64(wholeNumber: text)
        default: nil
        }
    }
}

extension Substring.UTF8View {
    /// Removes the first byte if it is one of the ASCII characters, and returns whether it was.
    fileprivate mutating func consume(_ characters: StaticString) -> Bool {
        guard let first, characters.withUTF8Buffer({ $0.contains(first) }) else { return false }
        removeFirst()
        return true
    }

    /// Removes and returns the values of the digits at the start.
    fileprivate mutating func consumeDigits() -> [Int64] {
        let digits = prefix(while: \.isASCIIDigit)
        self = self[digits.endIndex...]
        return digits.map { Int64($0 - UInt8(ascii: "0")) }
    }
}
