/// The number of times that an account's tokens were revoked. ID tokens and sessions carry the counter's value at the
/// time of issue.
enum RevocationCounter {
    fileprivate static let randomByteCount = 6

    /// Returns a new account's initial counter: a random number between 2⁴⁸ and 2⁴⁹. An earlier account with the same
    /// uid never had that value, so its tokens are not valid for the new account. All JSON parsers represent such a
    /// number exactly.
    static func start(_ randomBytes: [UInt8]) -> Int64 {
        randomBytes.prefix(randomByteCount).reduce(1) { $0 << 8 | Int64($1) }
    }
}

extension OperationContext {
    /// Returns the initial revocation counter of an account that is not created by a sign-in.
    func newRevocationCounter() -> Int64 {
        RevocationCounter.start(environment.randomBytes(RevocationCounter.randomByteCount))
    }
}
