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

/// The alphabet of a Base64 variant, with its encoder and decoder. Texts have no padding.
struct Base64Alphabet: Sendable {
    /// RFC 4648 § 4.
    static let standard = Base64Alphabet("+/")
    /// RFC 4648 § 5.
    static let url = Base64Alphabet("-_")
    /// Decodes both alphabets, and a mixture of them.
    static let either = Base64Alphabet("-_", decodingAlso: "+/")

    private let alphabet: [UInt8]
    private let valueOfByte: [UInt8]

    /// Creates an alphabet from its last two characters.
    private init(_ last: String, decodingAlso others: String = "") {
        let common = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
        alphabet = common + last.utf8
        var table = [UInt8](repeating: 0xFF, count: 256)
        for (value, byte) in alphabet.enumerated() { table[Int(byte)] = UInt8(value) }
        for (value, byte) in others.utf8.enumerated() { table[Int(byte)] = UInt8(common.count + value) }
        valueOfByte = table
    }

    func append(_ bytes: some Collection<UInt8>, to text: inout [UInt8]) {
        let isAppended: Void? = bytes.withContiguousStorageIfAvailable { append(buffer: $0, to: &text) }
        if isAppended == nil { Array(bytes).withUnsafeBufferPointer { append(buffer: $0, to: &text) } }
    }

    private func append(buffer bytes: UnsafeBufferPointer<UInt8>, to text: inout [UInt8]) {
        let count = encodedByteCount(bytes.count)
        text.append(addingCapacity: count) { text in
            text.withUnsafeMutableBufferPointer { memory, filled in
                encode(bytes, into: UnsafeMutableBufferPointer(rebasing: memory[filled...]))
                filled += count
            }
        }
    }

    private func encodedByteCount(_ byteCount: Int) -> Int { (byteCount * 4 + 2) / 3 }

    /// Encodes each three bytes as four characters, and the rest as two or three.
    private func encode(_ bytes: UnsafeBufferPointer<UInt8>, into text: UnsafeMutableBufferPointer<UInt8>) {
        alphabet.withUnsafeBufferPointer { alphabet in
            func character(_ group: UInt32, _ shift: UInt32) -> UInt8 { alphabet[Int(group >> shift & 63)] }
            let rest = bytes.count % 3
            var position = 0
            for start in stride(from: 0, to: bytes.count - rest, by: 3) {
                let group = UInt32(bytes[start]) << 16 | UInt32(bytes[start + 1]) << 8 | UInt32(bytes[start + 2])
                text[position] = character(group, 18)
                text[position + 1] = character(group, 12)
                text[position + 2] = character(group, 6)
                text[position + 3] = character(group, 0)
                position += 4
            }
            guard rest > 0 else { return }
            let last = bytes.suffix(rest).reduce(0 as UInt32) { $0 << 8 | UInt32($1) } << UInt32(24 - 8 * rest)
            for place in 0...rest { text[position + place] = character(last, UInt32(18 - 6 * place)) }
        }
    }

    func string(_ bytes: some Collection<UInt8>) -> String {
        bytes.withContiguousStorageIfAvailable(string(buffer:)) ?? Array(bytes).withUnsafeBufferPointer(string(buffer:))
    }

    private func string(buffer bytes: UnsafeBufferPointer<UInt8>) -> String {
        let count = encodedByteCount(bytes.count)
        return String(unsafeUninitializedCapacity: count) { text in
            encode(bytes, into: text)
            return count
        }
    }

    /// Decodes a text. Returns nil if `text` is not the canonical encoding of any bytes.
    func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        text.withContiguousStorageIfAvailable(decode(buffer:)) ?? Array(text).withUnsafeBufferPointer(decode(buffer:))
    }

    private func decode(buffer text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        let mostBytes = text.count * 3 / 4
        var buffer: UInt32 = 0
        var bits: UInt32 = 0
        var isCanonical = true
        let bytes = [UInt8](unsafeUninitializedCapacity: mostBytes) { bytes, filled in
            valueOfByte.withUnsafeBufferPointer { valueOfByte in
                for byte in text {
                    let value = valueOfByte[Int(byte)]
                    isCanonical = isCanonical && value != 0xFF
                    buffer = buffer << 6 | UInt32(value & 63)
                    bits += 6
                    if bits >= 8 {
                        bits -= 8
                        bytes[filled] = UInt8(truncatingIfNeeded: buffer >> bits)
                        filled += 1
                    }
                }
            }
        }
        guard isCanonical, buffer & ((1 << bits) - 1) == 0 else { return nil }
        return bytes
    }
}
