public import Encodings

/// A password as it was typed: its UTF-8, at most ``maximumBytes`` of it.
///
/// It is not normalised, because the imported hashes were made of what was typed. It may be empty: how long a password must
/// be is its caller's rule.
public struct Password: Sendable, Confidential {
    /// The most bytes that a password may have. Firebase documents 4,096 characters as the greatest maximum of a project's
    /// password policy; each hash begins with a pass over all bytes, which nobody may make a long one.
    public static let maximumBytes = 4096

    let utf8: [UInt8]

    /// What is hashed where there is none, so that the answer takes as long.
    public static let placeholder = Password(utf8: [])

    private init(utf8: [UInt8]) {
        self.utf8 = utf8
    }

    /// Takes a password.
    ///
    /// Returns nil where it has more than ``maximumBytes`` bytes.
    ///
    /// - Parameter text: as it was typed.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumBytes else { return nil }
        utf8 = Array(text.utf8)
    }
}
