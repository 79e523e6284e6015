extension UInt8 {
    /// Whether this is one of `0`…`9`.
    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
    /// Whether this is one of `a`…`z`.
    var isLowercaseLetter: Bool { self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z") }
    /// Whether this is one of `A`…`Z`.
    var isUppercaseLetter: Bool { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") }
    /// Whether this is one of `A`…`Z`, `a`…`z`.
    var isLetter: Bool { isLowercaseLetter || isUppercaseLetter }
    /// Whether this needs no escape in a URL: RFC 3986 § 2.3.
    var isUnreserved: Bool { isLetter || isDigit || "-._~".utf8.contains(self) }
}

extension StringProtocol {
    /// Whether there are characters, and all of them are `0`…`9`.
    var isDigits: Bool { !isEmpty && utf8.allSatisfy(\.isDigit) }
}
