internal import Cryptography

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
        message.reserveCapacity(160)
        message.append(contentsOf: UnsafeBufferPointer(start: use.utf8Start, count: use.utf8CodeUnitCount))
        for part in parts {
            switch part {
            case .text(var text): text.withUTF8 { message.appendPart($0) }
            case .bytes(let bytes): bytes.withUnsafeBufferPointer { message.appendPart($0) }
            }
        }
        return hmac.authenticationCode(for: message)
    }

    /// A part of the hashed message; text is hashed as UTF-8.
    enum Part {
        case text(String)
        case bytes([UInt8])
    }
}

extension [UInt8] {
    fileprivate mutating func appendPart(_ part: UnsafeBufferPointer<UInt8>) {
        append(0)
        Swift.withUnsafeBytes(of: UInt32(part.count).bigEndian) { append(contentsOf: $0) }
        append(contentsOf: part)
    }
}
