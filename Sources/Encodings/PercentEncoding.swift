/// Percent-encoding of everything but RFC 3986's unreserved characters (§ 2.3).
///
/// Characters that some readers interpret differently are always escaped, above all `+`, which the iOS SDK reads as a
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
                bytes.append(UInt8(ascii: "%"))
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The uppercase digits, as RFC 3986 § 2.1 recommends.
    private static let digits = Array("0123456789ABCDEF".utf8)
}
