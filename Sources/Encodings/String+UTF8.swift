extension String {
    /// The text that `bytes` are in UTF-8, or nil where they are none.
    ///
    /// The standard library's `String(validating:as:)` does the same for any encoding and is several times slower.
    public init?(validUTF8 bytes: Span<UInt8>) {
        guard let text = try? UTF8Span(validating: bytes) else { return nil }
        self.init(copying: text)
    }
}
