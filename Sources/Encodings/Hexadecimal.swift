/// Hexadecimal (Base16) encoding (RFC 4648 § 8).
public enum Hexadecimal {
    /// Encodes each byte as two lowercase digits.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.flatMap { [digit($0 >> 4), digit($0 & 15)] }, as: UTF8.self)
    }

    /// Decodes digits of either case. Returns nil if the text is not valid.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let values = text.utf8.compactMap(\.hexDigitValue)
        guard values.count == text.utf8.count, values.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }

    /// Returns the lowercase digit of a value below 16.
    static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
