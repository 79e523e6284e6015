internal import Encodings

/// The parts of a hash's text: `$` before each of algorithm, version, parameters, salt and hash.
///
/// Source: the PHC string format (github.com/P-H-C/phc-string-format), which libargon2 writes. Only the canonical text
/// of a value is accepted.
struct PHCString {
    /// More than any valid text: a key, a salt and a hash of 128 bytes take 171 characters each.
    static let maximumBytes = 1024

    private let fields: [Substring]

    /// Returns nil unless the text is `count` fields of ASCII, of which the first is the algorithm.
    init?(_ text: String, algorithm: String, fieldCount count: Int) {
        guard text.utf8.count <= Self.maximumBytes, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == count + 1, parts[0].isEmpty, parts[1] == algorithm else { return nil }
        fields = Array(parts.dropFirst())
    }

    subscript(index: Int) -> Substring { fields[index] }

    /// Returns the values of the field `name=value,…`, which must have exactly these names in this order.
    func values(_ index: Int, _ names: String...) -> [Substring]? {
        let parameters = fields[index].split(separator: ",", omittingEmptySubsequences: false)
        guard parameters.count == names.count else { return nil }
        var values: [Substring] = []
        for (parameter, name) in zip(parameters, names) {
            guard parameter.hasPrefix("\(name)=") else { return nil }
            values.append(parameter.dropFirst(name.count + 1))
        }
        return values
    }

    /// Returns a number in decimal digits, without sign or leading zero.
    static func number(_ text: Substring) -> Int? {
        guard let number = Int(text), String(number) == text, number >= 0 else { return nil }
        return number
    }

    /// Decodes Base64 (RFC 4648 § 4) without padding.
    static func bytes(_ text: Substring) -> [UInt8]? {
        guard !text.utf8.contains(UInt8(ascii: "-")), !text.utf8.contains(UInt8(ascii: "_")) else { return nil }
        return Base64URL.decode(text.utf8.map { replacing($0, "+", by: "-", "/", by: "_") })
    }

    /// Encodes Base64 (RFC 4648 § 4) without padding.
    static func base64(_ bytes: [UInt8]) -> String {
        String(decoding: Base64URL.encode(bytes).map { replacing($0, "-", by: "+", "_", by: "/") }, as: UTF8.self)
    }

    private static func replacing(
        _ byte: UInt8,
        _ first: Unicode.Scalar,
        by newFirst: Unicode.Scalar,
        _ second: Unicode.Scalar,
        by newSecond: Unicode.Scalar
    ) -> UInt8 {
        switch byte {
        case UInt8(ascii: first): UInt8(ascii: newFirst)
        case UInt8(ascii: second): UInt8(ascii: newSecond)
        default: byte
        }
    }
}
