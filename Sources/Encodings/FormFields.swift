/// The fields of a URL's query or of an `application/x-www-form-urlencoded` body (WHATWG URL § 5).
public struct FormFields: Sendable, Equatable {
    /// The fields, in order; names may be repeated.
    public private(set) var fields: [(name: String, value: String)] = []

    /// Parses `name=value` pairs joined by `&`.
    ///
    /// Returns nil if an escape is malformed or the decoded text is not UTF-8: no legitimate client sends such text.
    public init?(_ text: some Collection<UInt8>) {
        self.init(bytes: Array(text))
    }

    private init?(bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let pair = rest.prefix { $0 != UInt8(ascii: "&") }
            rest = rest[pair.endIndex...].dropFirst()
            if pair.isEmpty { continue }
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            guard let value = Self.decode(pair[name.endIndex...].dropFirst()), let name = Self.decode(name) else {
                return nil
            }
            fields.append((name, value))
        }
    }

    /// Returns the value of the first field with this name.
    public subscript(name: String) -> String? {
        fields.first { $0.name == name }?.value
    }

    /// Returns whether both have the same fields in the same order.
    public static func == (left: FormFields, right: FormFields) -> Bool {
        left.fields.elementsEqual(right.fields) { $0 == $1 }
    }

    private static func decode(_ text: ArraySlice<UInt8>) -> String? {
        guard text.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") }) else {
            return String(validUTF8: text.span)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "+"):
                bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.next()?.hexDigitValue, let low = rest.next()?.hexDigitValue else { return nil }
                bytes.append(high << 4 | low)
            default:
                bytes.append(byte)
            }
        }
        return String(validUTF8: bytes.span)
    }
}

extension FormFields {
    /// The media type of a body from ``encode(_:)``.
    public static let mediaType = "application/x-www-form-urlencoded"

    /// Encodes fields as a body, in order. Names must be protocol constants: letters, digits, `-` and `_`, which need
    /// no escaping.
    public static func encode(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    }
}

/// Percent-encoding of everything but RFC 3986's unreserved characters (§ 2.3).
///
/// It always escapes characters that some readers interpret differently, above all `+`, which the iOS SDK reads as a
/// space.
public enum PercentEncoding {
    /// Encodes a value for a URL or a form.
    public static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 2)
        for byte in text.utf8 {
            if byte.isASCIILetter || byte.isASCIIDigit || "-._~".utf8.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += escape(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the escape of a byte.
    public static func escape(_ byte: UInt8) -> [UInt8] {
        [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    /// Decodes the escapes of a URL component. `+` is not an escape. Returns nil if an escape is malformed, or if the
    /// result is not UTF-8.
    public static func decode(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next()?.hexDigitValue, let low = rest.next()?.hexDigitValue else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validUTF8: bytes.span)
    }

    /// The uppercase digits, as RFC 3986 § 2.1 recommends.
    private static let digits = Array("0123456789ABCDEF".utf8)
}
