internal import Cryptography
internal import Encodings

/// HMAC-SHA-256 under one key with a label for each use (domain separation): a value made for one use is invalid in
/// another.
struct KeyedHash: Sendable {
    private let hmac: HMAC

    /// Takes a key of 32 bytes.
    init(key: [UInt8]) {
        hmac = HMAC(.sha256, key: key)
    }

    /// Returns the 32 bytes for `parts` in this use. Each part is prefixed with its length, so `("ab", "c")` and `("a",
    /// "bc")` differ.
    func callAsFunction(_ use: StaticString, _ parts: Part...) -> [UInt8] {
        var message: [UInt8] = []
        let byteCount = parts.reduce(use.utf8CodeUnitCount) { $0 + 5 + $1.byteCount }
        message.append(addingCapacity: byteCount) { message in
            message.append(use)
            for part in parts {
                switch part {
                case .text(var text): text.withUTF8 { message.append(part: $0) }
                case .bytes(let bytes): bytes.withUnsafeBufferPointer { message.append(part: $0) }
                }
            }
        }
        return hmac.authenticationCode(for: message)
    }

    /// A part of the hashed message; text is hashed as UTF-8.
    enum Part {
        case text(String)
        case bytes([UInt8])

        fileprivate var byteCount: Int {
            switch self {
            case .text(let text): text.utf8.count
            case .bytes(let bytes): bytes.count
            }
        }
    }
}

extension OutputSpan<UInt8> {
    /// Appends a part after its length in five bytes, of which the first is zero.
    fileprivate mutating func append(part: UnsafeBufferPointer<UInt8>) {
        for shift in stride(from: 32, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: UInt64(part.count) >> shift))
        }
        append(copying: part)
    }
}
