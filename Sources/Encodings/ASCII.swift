extension UInt8 {
    /// Whether this is one of `0`…`9`.
    @inlinable
    public var isASCIIDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    /// Whether this is one of `a`…`z`.
    public var isASCIILowercaseLetter: Bool { self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z") }

    /// Whether this is one of `A`…`Z`.
    public var isASCIIUppercaseLetter: Bool { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") }

    /// The lowercase letter for one of `A`…`Z`; any other byte unchanged.
    public var asciiLowercased: UInt8 { isASCIIUppercaseLetter ? self | 0x20 : self }

    /// Whether this is one of `A`…`Z`, `a`…`z`.
    public var isASCIILetter: Bool { (self | 0x20).isASCIILowercaseLetter }

    /// The value of a hexadecimal digit of either case; nil for any other byte.
    public var hexDigitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension UInt8 {
    /// Whether this is white space in JSON (RFC 8259 § 2).
    @inlinable
    public var isJSONWhiteSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}

extension Substring {
    /// The text without leading and trailing white space.
    public var trimmed: Substring {
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}

// Inlined, because they are generic: only the module that calls them can specialize them.
extension StringProtocol {
    /// Whether the text is not empty and contains only `0`…`9`.
    @inlinable
    public var isASCIIDigits: Bool { !isEmpty && utf8.allSatisfy { $0.isASCIIDigit } }

    /// Whether the text contains only ASCII characters.
    ///
    /// Swift considers texts with different bytes equal if they are canonically equivalent: the Kelvin sign U+212A
    /// equals `K`. Two ASCII texts are equal only if their bytes are. So check this before a client's text is looked up
    /// whose bytes matter afterwards.
    @inlinable
    public var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}

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

extension String {
    /// Formats a non-negative number in decimal, padded with zeros to at least `digits` digits.
    public init(_ number: some BinaryInteger, digits: Int) {
        let text = String(number)
        self = String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
    }
}
