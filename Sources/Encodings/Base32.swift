/// Base32 without padding (RFC 4648 § 6), the usual encoding of TOTP secrets.
public enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// Encodes `bytes` in uppercase letters and digits.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 8 + 4) / 5)
        var bits: UInt16 = 0
        var bitCount = 0
        for byte in bytes {
            bits = bits << 8 | UInt16(byte)
            bitCount += 8
            while bitCount >= 5 {
                bitCount -= 5
                text.append(alphabet[Int(bits >> bitCount & 0x1F)])
            }
        }
        if bitCount > 0 { text.append(alphabet[Int(bits << (5 - bitCount) & 0x1F)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes letters of either case, with or without padding. Returns nil if the text is not valid.
    public static func decode(_ text: String) -> [UInt8]? {
        let padding = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        var bytes: [UInt8] = []
        var bits: UInt16 = 0
        var bitCount = 0
        for byte in text.utf8.dropLast(padding) {
            guard let value = value(of: byte) else { return nil }
            bits = bits << 5 | UInt16(value)
            bitCount += 5
            guard bitCount >= 8 else { continue }
            bitCount -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
        }
        // The remaining bits must be zeros, and fewer than one character encodes.
        guard bitCount < 5, bits & (1 << bitCount - 1) == 0 else { return nil }
        return bytes
    }

    private static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a")
        case UInt8(ascii: "2")...UInt8(ascii: "7"): byte - UInt8(ascii: "2") + 26
        default: nil
        }
    }
}

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
