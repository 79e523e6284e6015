/// Percent-encoding of everything but RFC 3986's unreserved characters (§ 2.3).
///
/// It always escapes characters that some readers interpret differently, above all `+`, which the iOS SDK reads as a
/// space.
public enum PercentEncoding {
    /// Encodes a value for a URL or a form.
    public static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 2)
        for byte in text.utf8 {
            if byte.isASCIILetter || byte.isASCIIDigit || "-._~".utf8.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += escape(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the escape of a byte.
    public static func escape(_ byte: UInt8) -> [UInt8] {
        [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    /// Decodes the escapes of a URL component. `+` is not an escape. Returns nil if an escape is malformed, or if the
    /// result is not UTF-8.
    public static func decode(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next()?.hexDigitValue, let low = rest.next()?.hexDigitValue else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validUTF8: bytes.span)
    }

    /// The uppercase digits, as RFC 3986 § 2.1 recommends.
    private static let digits = Array("0123456789ABCDEF".utf8)
}
