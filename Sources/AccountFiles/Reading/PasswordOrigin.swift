public import Passwords

/// The origin of a list's password hashes, which do not name their algorithm; the same for all of them.
public struct PasswordOrigin: Sendable {
    private let scheme: ForeignHashScheme?
    private let hashByteCount: Int?
    /// Whether passwords of Firebase's emulator are imported. It stores them in plain text.
    let allowsEmulatorPasswords: Bool

    /// Creates an origin from the algorithm, with its parameters, if it is known, and from the required hash length in
    /// bytes; nil if the algorithm itself determines the length.
    public init(_ scheme: ForeignHashScheme?, hashByteCount: Int? = nil, allowsEmulatorPasswords: Bool = false) {
        self.scheme = scheme
        self.hashByteCount = hashByteCount
        self.allowsEmulatorPasswords = allowsEmulatorPasswords
    }

    func password(hash: [UInt8], salt: [UInt8]) throws(RecordFault) -> StoredPassword {
        guard let scheme else { throw .hashAlgorithmMissing }
        guard hashByteCount.map({ $0 == hash.count }) ?? true, let password = scheme.password(hash: hash, salt: salt)
        else { throw .passwordHashInvalid }
        return password
    }
}
