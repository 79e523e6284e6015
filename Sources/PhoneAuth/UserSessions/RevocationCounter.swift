/// The number of times that an account's tokens were revoked. It starts with the account's first tokens. ID tokens and
/// sessions carry the counter's value at the time of issue.
enum RevocationCounter {
    /// Returns an account's initial counter: a random number between 2⁴⁸ and 2⁴⁹. An earlier account with the same uid
    /// never had this value, so its tokens are not valid for the new account. All JSON parsers represent such a number
    /// exactly.
    static func start(_ randomBytes: [UInt8]) -> Int64 {
        randomBytes.prefix(6).reduce(1) { $0 << 8 | Int64($1) }
    }
}
