public import Encodings

/// A gateway's token, key or password. It is never empty, and its description shows nothing of it.
public struct GatewaySecret: Hashable, Sendable, Confidential {
    let text: String

    /// Wraps a secret.
    ///
    /// - Parameter text: the secret as the gateway's console shows it: 1 to 512 printable ASCII characters without
    ///   spaces.
    /// - Throws: ``GatewayConfigurationError/malformedSecret``
    public init(_ text: String) throws(GatewayConfigurationError) {
        guard (1...512).contains(text.utf8.count), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .malformedSecret
        }
        self.text = text
    }

    /// The secret's bytes.
    var bytes: [UInt8] { Array(text.utf8) }

    /// Returns whether `other` is the same text. Compares in constant time; only the lengths may leak.
    func matches(_ other: String) -> Bool {
        equalInConstantTime(bytes, Array(other.utf8))
    }
}
