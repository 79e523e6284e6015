/// How often an account's tokens were revoked. ID tokens and sessions carry the count of the time when they were
/// issued.
enum RevocationCounter {
    fileprivate static let randomByteCount = 6

    /// Where a new account's counter starts: at a random number between 2⁴⁸ and 2⁴⁹. An earlier account of the same uid
    /// never had it, so tokens of that account are not taken for tokens of this one. Every JSON reader takes such a
    /// number as it is.
    static func start(_ randomBytes: [UInt8]) -> Int64 {
        randomBytes.prefix(randomByteCount).reduce(1) { $0 << 8 | Int64($1) }
    }
}

extension Authenticator {
    /// Where the revocation counter starts of an account that no sign-in makes.
    func newRevocationCounter() -> Int64 {
        RevocationCounter.start(environment.randomBytes(RevocationCounter.randomByteCount))
    }
}
