public import Encodings

/// The salt of a new hash: 16 random bytes, as RFC 9106 § 3.1 recommends for passwords.
public struct PasswordSalt: Sendable, Confidential {
    static let byteCount = 16

    let bytes: [UInt8]

    /// Creates a salt, which must be used for one hash only.
    ///
    /// - Parameter randomBytes: returns `count` unpredictable bytes.
    public init(from randomBytes: (_ count: Int) -> [UInt8]) {
        bytes = randomBytes(Self.byteCount)
        precondition(bytes.count == Self.byteCount, "a random generator must return as many bytes as requested")
    }
}
