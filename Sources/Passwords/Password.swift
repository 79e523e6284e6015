public import Encodings

/// A password as typed: UTF-8, at most ``maximumBytes``.
///
/// It is not normalized, because imported hashes were computed from the text as typed. It may be empty: the caller
/// enforces the minimum length.
public struct Password: Sendable, Confidential {
    /// The maximum length in bytes. Firebase documents 4,096 characters as the upper bound of a project's password
    /// policy. Each hash begins with a pass over all bytes, so a long password must not become a denial of service.
    public static let maximumBytes = 4096

    let utf8: [UInt8]

    /// The password to hash if a request contains none, so that the response takes as long.
    public static let placeholder = Password(utf8: [])

    private init(utf8: [UInt8]) {
        self.utf8 = utf8
    }

    /// Creates a password.
    ///
    /// Returns nil if it has more than ``maximumBytes`` bytes.
    ///
    /// - Parameter text: the password as typed.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumBytes else { return nil }
        utf8 = Array(text.utf8)
    }
}

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
