/// The digits of Crockford's base 32: no I, L, O and U, which are misread or make words. For what people copy and say.
public enum CrockfordBase32 {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// The digit of the lowest five bits.
    public static func digit(_ value: some BinaryInteger) -> UInt8 { alphabet[Int(truncatingIfNeeded: value) & 0x1F] }

    /// The values of a text of just so many digits: in letters of either case, with or without dashes and spaces, with O for 0 and I or
    /// L for 1; nil where it is another text.
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
