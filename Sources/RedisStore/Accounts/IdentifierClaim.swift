internal import Encodings

/// What ties an identifier, a phone number or an e-mail address, to an account.
///
/// Identifier and account lie in different shards, so no script changes both, and a worker may die between two. A claim stands
/// at both ends: with the identifier, beside the uid, and in the account. An identifier is an account's only where both ends
/// hold the same claim. An end alone means nothing and does no harm: whoever comes upon it asks the account
/// (``Store/holdsClaim(_:of:isFresh:in:markMilliseconds:)`` and ``Store/recordSignIn(_:)`` see to it that an answer "no" stays
/// true) and then puts a claim of its own in its place. Each attempt has a claim of its own, so an end that another worker
/// has replaced meanwhile is never taken for the one that was looked at.
///
/// - A new account: its claim stands with the identifier first; the account is made under it, by whoever gets there first, and
///   only while the claim is fresh, so that a deleted account is not made again.
/// - Another identifier for an account: the account notes the claim as pending, then it is put to the identifier, then the
///   account takes that. A sign-in that proves a number may do the last step, too. The former one lets go at the end.
///   An account notes one claim of each kind. A request whose note another request replaced begins again, with a claim
///   of its own.
/// - An identifier goes, or an account: the account's end goes first, the identifier's after it.
public struct IdentifierClaim: Hashable, Sendable {
    /// How many random bytes a claim has, besides the second in which it was made.
    public static let randomByteCount = 6

    /// The account's `localId`.
    public let uid: String
    /// What stands at both ends.
    public let id: String

    /// Makes a claim at a time in seconds since the Unix epoch, told from others of that second by `randomBytes`.
    public init(uid: String, seconds: Int64, randomBytes: [UInt8]) {
        self.init(uid: uid, id: "\(seconds)-\(Base64URL.string(randomBytes))")
    }

    init(uid: String, id: String) {
        self.uid = uid
        self.id = id
    }

    /// When it was made; seconds since the Unix epoch.
    public var seconds: Int64 { Int64(Substring(id.utf8.prefix { $0 != UInt8(ascii: "-") })) ?? 0 }

    /// How it stands with an identifier.
    var text: String { "\(id) \(uid)" }

    /// Reads what stands with an identifier.
    init(text: String) throws(StoreUnavailable) {
        guard let space = text.utf8.firstIndex(of: UInt8(ascii: " ")) else { throw .unexpectedReply }
        self.init(uid: String(text[text.utf8.index(after: space)...]), id: String(text[..<space]))
    }

    /// Reads what stands with an identifier, or nothing.
    static func standing(_ text: String) throws(StoreUnavailable) -> IdentifierClaim? {
        text.isEmpty ? nil : try IdentifierClaim(text: text)
    }
}
