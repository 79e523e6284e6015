extension String {
    /// A number that is not negative in decimal digits, so many at least, with zeros before.
    public init(_ number: some BinaryInteger, digits: Int) {
        let text = String(number)
        self = String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
    }
}
