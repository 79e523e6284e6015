public import Passwords

/// The password hash algorithm and parameters of a file in Firebase's format; the same for all its passwords.
public struct PasswordOrigin: Sendable {
    private let scheme: ForeignHashScheme
    private let hashByteCount: Int?

    /// Creates an origin from the algorithm, with its parameters, and from the required hash length in bytes; nil if
    /// the algorithm itself determines the length.
    public init(_ scheme: ForeignHashScheme, hashByteCount: Int? = nil) {
        self.scheme = scheme
        self.hashByteCount = hashByteCount
    }

    func password(hash: [UInt8], salt: [UInt8]) -> StoredPassword? {
        guard hashByteCount.map({ $0 == hash.count }) ?? true else { return nil }
        return scheme.password(hash: hash, salt: salt)
    }
}
