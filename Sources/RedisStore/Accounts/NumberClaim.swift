internal import Encodings

/// What ties a phone number to an account.
///
/// Number and account lie in different shards, so no script changes both, and a worker may die between two. A claim stands
/// at both ends: with the number, beside the uid, and in the account. A number is an account's only where both ends hold the
/// same claim. An end alone means nothing and does no harm: whoever comes upon it asks the account
/// (``Store/holdsClaim(_:isFresh:in:markMilliseconds:)`` and ``Store/recordSignIn(_:)`` see to it that an answer "no" stays
/// true) and then puts a claim of its own in its place. Each attempt has a claim of its own, so an end that another worker
/// has replaced meanwhile is never taken for the one that was looked at.
///
/// - A new account: its claim stands with the number first; the account is made under it, by whoever gets there first, and
///   only while the claim is fresh, so that a deleted account is not made again.
/// - Another number for an account: the account notes the claim as pending, then it is put to the number, then the account
///   takes the number. A sign-in with the number may do the last step, too. The former number lets go at the end.
/// - A number goes, or an account: the account's end goes first, the number's after it.
public struct NumberClaim: Hashable, Sendable {
    /// How many random bytes a claim has, besides the second in which it was made.
    public static let randomByteCount = 6

    /// The account's `localId`.
    public let uid: String
    /// What stands at both ends.
    let id: String

    /// Makes a claim at a time in seconds since the Unix epoch, told from others of that second by `randomBytes`.
    public init(uid: String, seconds: Int64, randomBytes: [UInt8]) {
        self.init(uid: uid, id: "\(seconds)-\(Base64URL.string(randomBytes))")
    }

    init(uid: String, id: String) {
        self.uid = uid
        self.id = id
    }

    /// When it was made; seconds since the Unix epoch.
    public var seconds: Int64 { Int64(id.prefix { $0 != "-" }) ?? 0 }

    /// How it stands with a number.
    var text: String { "\(id) \(uid)" }

    /// Reads what stands with a number.
    init(text: String) throws(StoreUnavailable) {
        guard let space = text.firstIndex(of: " ") else { throw .unexpectedReply }
        self.init(uid: String(text[text.index(after: space)...]), id: String(text[..<space]))
    }

    /// Reads what stands with a number, or nothing.
    static func standing(_ text: String) throws(StoreUnavailable) -> NumberClaim? {
        text.isEmpty ? nil : try NumberClaim(text: text)
    }
}

/// A number that an account held, or was about to hold: what it takes to make the number let go.
public struct HeldNumber: Sendable {
    /// The number, sealed for the account.
    public let sealedNumber: [UInt8]
    /// What stands with the number, unless another claim does by now.
    public let claim: NumberClaim

    /// Reads a number and the claim after it in a script's answer; nil where there is none.
    init?(_ reply: ScriptReply, at index: Int, uid: String) throws(StoreUnavailable) {
        let id = try reply.text(at: index + 1)
        guard !id.isEmpty else { return nil }
        sealedNumber = try reply.bytes(at: index)
        claim = NumberClaim(uid: uid, id: id)
    }
}
