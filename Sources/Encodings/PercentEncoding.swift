/// Percent-encoding of everything but RFC 3986's unreserved characters (§ 2.3).
///
/// Nothing is left that some reader takes for something else: `+`, above all, which the iOS SDK reads as a space.
public enum PercentEncoding {
    /// Escapes a value of a URL or a form.
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

    /// In upper case, as RFC 3986 asks of whoever writes them (§ 2.1).
    private static let digits = Array("0123456789ABCDEF".utf8)
}
