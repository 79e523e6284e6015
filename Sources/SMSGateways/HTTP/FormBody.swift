/// An `application/x-www-form-urlencoded` body (WHATWG URL § 5).
enum FormBody {
    static let contentType = "application/x-www-form-urlencoded"

    static func encode(_ fields: [(name: String, value: String)]) -> [UInt8] {
        Array(fields.map { "\($0.name)=\(escape($0.value))" }.joined(separator: "&").utf8)
    }

    /// Escapes everything but unreserved characters, `+` and spaces included, so that no reader takes any of them for something else.
    static func escape(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 2)
        for byte in text.utf8 {
            if byte.isUnreserved {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}
