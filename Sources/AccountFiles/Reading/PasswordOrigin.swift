public import Passwords

/// How the passwords of a file in Firebase's format were hashed: one way for all of them.
public struct PasswordOrigin: Sendable {
    private let scheme: ForeignHashScheme
    private let hashByteCount: Int?

    /// The algorithm with its parameters, and how long a hash must be; nil where the algorithm's own rule is enough.
    public init(_ scheme: ForeignHashScheme, hashByteCount: Int? = nil) {
        self.scheme = scheme
        self.hashByteCount = hashByteCount
    }

    func password(hash: [UInt8], salt: [UInt8]) -> StoredPassword? {
        guard hashByteCount.map({ $0 == hash.count }) ?? true else { return nil }
        return scheme.password(hash: hash, salt: salt)
    }
}
