/// Base64 for interoperability with other systems (RFC 4648 § 4 and § 5).
public enum Base64 {
    /// Encodes `bytes` in the alphabet of § 4, with padding.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text = Base64URL.encode(bytes).map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes either alphabet, with or without padding. Returns nil if `text` is not valid Base64.
    public static func decode(eitherAlphabet text: some Collection<UInt8>) -> [UInt8]? {
        var characters = text.map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        for _ in 0..<2 where characters.last == UInt8(ascii: "=") { characters.removeLast() }
        return Base64URL.decode(characters)
    }
}
