/// Bytes as hexadecimal digits.
enum Hexadecimal {
    /// Two small digits a byte.
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Reads digits of either case; nil for anything else.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let values = text.utf8.compactMap { $0 < 0x80 ? Character(UnicodeScalar($0)).hexDigitValue : nil }
        guard values.count == text.utf8.count, values.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }
}
