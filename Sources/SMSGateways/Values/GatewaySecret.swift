public import Encodings

/// A token, a key or a password that belongs to a gateway. It is never empty, and shows nothing of itself.
public struct GatewaySecret: Hashable, Sendable, Confidential {
    let text: String

    /// Hides a secret.
    ///
    /// - Parameter text: as the gateway's console shows it: 1 to 512 printable ASCII characters.
    /// - Throws: ``GatewayConfigurationError/malformedSecret``
    public init(_ text: String) throws(GatewayConfigurationError) {
        guard (1...512).contains(text.utf8.count), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .malformedSecret
        }
        self.text = text
    }

    /// The secret's bytes.
    var bytes: [UInt8] { Array(text.utf8) }

    /// Whether `other` is the same text, in a time that tells only their lengths.
    func matches(_ other: String) -> Bool {
        equalInConstantTime(bytes, Array(other.utf8))
    }
}
