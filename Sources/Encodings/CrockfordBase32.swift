/// Crockford's Base32, for codes that people copy or read out. It lacks I, L, O and U, which are misread or form words.
public enum CrockfordBase32 {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// Returns the digit for the lowest five bits of `value`.
    public static func digit(_ value: UInt8) -> UInt8 { alphabet[Int(value & 0x1F)] }

    /// Decodes a text of exactly `count` digits. Accepts letters of either case, dashes and spaces, O for 0, and I or L
    /// for 1. Returns nil for any other text.
    public static func values(of text: String, count: Int) -> [UInt8]? {
        var values: [UInt8] = []
        for byte in text.utf8 where byte != UInt8(ascii: "-") && byte != UInt8(ascii: " ") {
            guard let value = value(of: byte), values.count < count else { return nil }
            values.append(value)
        }
        return values.count == count ? values : nil
    }

    private static func value(of byte: UInt8) -> UInt8? {
        let capital = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 0x20 : byte
        switch capital {
        case UInt8(ascii: "O"): return 0
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
        default: return alphabet.firstIndex(of: capital).map { UInt8($0) }
        }
    }
}
