/// Base64 with padding, for interoperability with other systems (RFC 4648 § 4).
public enum Base64 {
    /// Encodes `bytes` in the alphabet of § 4.
    public static func encode(_ bytes: some Collection<UInt8>, isPadded: Bool = true) -> String {
        let text = Base64Alphabet.standard.string(bytes)
        return isPadded ? text + String(repeating: "=", count: -text.utf8.count & 3) : text
    }

    /// Decodes the alphabet of § 4 without padding. Returns nil if `text` is not the canonical encoding of any bytes.
    public static func decode(unpadded text: some Collection<UInt8>) -> [UInt8]? {
        Base64Alphabet.standard.decode(text)
    }

    /// Decodes the alphabet of § 4 with padding. Returns nil if `text` is not the canonical encoding of any bytes.
    public static func decode(padded text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 4) else { return nil }
        return Base64Alphabet.standard.decode(withoutPadding(text))
    }

    /// Decodes either alphabet, with or without padding. Returns nil if `text` is not valid Base64.
    public static func decode(eitherAlphabet text: some Collection<UInt8>) -> [UInt8]? {
        Base64Alphabet.either.decode(withoutPadding(text))
    }

    private static func withoutPadding(_ text: some Collection<UInt8>) -> ArraySlice<UInt8> {
        var characters = Array(text)[...]
        for _ in 0..<2 where characters.last == UInt8(ascii: "=") { characters.removeLast() }
        return characters
    }
}

/// Base64url without padding (RFC 4648 § 5): the encoding of JWTs and of Dialtone's opaque tokens.
public enum Base64URL {
    /// Encodes `bytes` as ASCII.
    public static func encode(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        append(bytes, to: &text)
        return text
    }

    /// Appends the encoding of `bytes`, as ASCII.
    public static func append(_ bytes: some Collection<UInt8>, to text: inout [UInt8]) {
        Base64Alphabet.url.append(bytes, to: &text)
    }

    /// Encodes `bytes` as a string.
    public static func string(_ bytes: some Collection<UInt8>) -> String { Base64Alphabet.url.string(bytes) }

    /// Decodes `text`. Returns nil if `text` is not the canonical encoding of any bytes.
    ///
    /// Only the canonical encoding is accepted, so that two different texts are never the same token.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? { Base64Alphabet.url.decode(text) }
}
