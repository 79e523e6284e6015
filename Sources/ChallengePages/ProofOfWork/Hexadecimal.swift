/// Bytes as lower-case hexadecimal digits, the only spelling that is read.
enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Returns nil where `text` is not an even number of digits.
    static func decode(_ text: String) -> [UInt8]? {
        let values = text.utf8.map { digit in digits.firstIndex(of: digit) }
        guard values.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(values.count / 2)
        for index in stride(from: 0, to: values.count, by: 2) {
            guard let high = values[index], let low = values[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}
