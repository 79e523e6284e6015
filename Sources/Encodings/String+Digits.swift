extension String {
    /// Formats a non-negative number in decimal, padded with zeros to at least `digits` digits.
    public init(_ number: some BinaryInteger, digits: Int) {
        let text = String(number)
        self = String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
    }
}
