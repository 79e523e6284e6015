extension String {
    /// Decodes UTF-8. Returns nil if `bytes` are not valid UTF-8.
    ///
    /// The standard library's `String(validating:as:)` does the same for any encoding and is several times slower.
    public init?(validUTF8 bytes: Span<UInt8>) {
        guard let text = try? UTF8Span(validating: bytes) else { return nil }
        self.init(copying: text)
    }

    /// Whether both strings have the same bytes. Use it for identifiers such as a uid: `==` also holds for strings that
    /// differ only in Unicode normalization.
    public func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
