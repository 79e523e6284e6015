internal import Encodings
public import RedisScripts

/// The link between an identifier (a phone number or an e-mail address) and an account.
///
/// Identifier and account are in different slots, so no single script changes both, and a worker may die between two
/// scripts. The claim is therefore stored at both ends: with the identifier, next to the uid, and in the account. An
/// identifier belongs to an account only if both ends hold the same claim. One end alone means nothing and does no
/// harm. A request that finds only the identifier's end checks whether the account holds the claim, and if not, stores
/// its own claim instead. `check-claim.lua` and `record-sign-in.lua` ensure that a negative answer stays true. Each
/// attempt has its own claim, so an end that another worker has replaced is never mistaken for the one that was read.
///
/// - A new account: its claim is stored with the identifier first. Then any request may create the account under it,
///   but only while the claim is fresh, so that a deleted account is not recreated.
/// - Another identifier for an account: the account stores the claim as pending, the claim is stored with the
///   identifier, and the account takes the identifier. A sign-in that proves a number may do the last step. The former
///   identifier is released at the end. An account has one pending claim of each kind. If another request replaces the
///   pending claim, the first request starts over with a new claim.
/// - Removing an identifier or an account: the account's end is removed first, then the identifier's.
///
/// A claim that arose from the fixed code of a test number is marked, at both ends. A test number's code signs in only
/// by a marked claim, and any other proof of a number only by an unmarked one. So no account that a user's message
/// proved is ever reachable by a test code, whatever an operator and a user do at the same time.
public struct IdentifierClaim: Hashable, Sendable {
    /// The number of random bytes in a claim, in addition to the second in which it was created.
    public static let randomByteCount = 6

    /// The account's `localId`.
    public let uid: String
    /// The id that is stored at both ends: base64url of the second in which the claim was created (four bytes) and of
    /// the random bytes.
    ///
    /// With a uid of 28 characters, the identifier's value has 43 bytes, and 44 with the mark of a test number. Redis
    /// stores up to 44 in one allocation.
    public let id: String

    /// Ends the id of a claim that arose from a test number's code; `recycled-numbers.lua` knows it, too.
    private static let testNumberMark = "*"

    /// Whether the claim arose from the fixed code of a test number.
    public var isOfTestNumber: Bool { id.hasSuffix(Self.testNumberMark) }

    /// Creates a claim at a time in seconds since the Unix epoch; `randomBytes` distinguish claims of the same second.
    public init(uid: String, seconds: Int64, randomBytes: [UInt8], isOfTestNumber: Bool = false) {
        let time = withUnsafeBytes(of: UInt32(clamping: seconds).bigEndian) { Array($0) }
        let mark = isOfTestNumber ? Self.testNumberMark : ""
        self.init(uid: uid, id: Base64URL.string(time + randomBytes) + mark)
    }

    init(uid: String, id: String) {
        self.uid = uid
        self.id = id
    }

    /// When the claim was created; seconds since the Unix epoch.
    public var seconds: Int64 {
        let text = id.utf8.prefix { $0 != UInt8(ascii: "*") }
        return (Base64URL.decode(text) ?? []).prefix(4).reduce(0) { $0 << 8 | Int64($1) }
    }

    /// The text that is stored with an identifier.
    var text: String { "\(id) \(uid)" }

    /// Parses the text that is stored with an identifier.
    init(text: String) throws(StoreUnavailable) {
        guard let space = text.utf8.firstIndex(of: UInt8(ascii: " ")) else { throw .unexpectedReply }
        self.init(uid: String(text[text.utf8.index(after: space)...]), id: String(text[..<space]))
    }

    /// Parses the text that is stored with an identifier. Returns nil if it is empty.
    static func current(_ text: String) throws(StoreUnavailable) -> IdentifierClaim? {
        text.isEmpty ? nil : try IdentifierClaim(text: text)
    }
}

/// A kind of identifier by which users sign in. The raw values name fields of an account's hash.
public enum IdentifierKind: String, CaseIterable, Sendable {
    /// A phone number.
    case phone
    /// An e-mail address.
    case email
}

/// A hashed identity that is an identifier of accounts.
public protocol IdentifierIdentity: Hashable, Sendable {
    /// The kind of identifier.
    static var kind: IdentifierKind { get }
    /// The project's id.
    var project: String { get }
    /// The hash that identifies the subject.
    var hash: String { get }
    /// The shard of the identifier's claim; nil if the claim is in the project's slot.
    var claimShard: Shard? { get }
}

extension PhoneIdentity: IdentifierIdentity {
    /// A phone number.
    public static var kind: IdentifierKind { .phone }
    /// The claim is in the project's slot.
    public var claimShard: Shard? { nil }
}

extension EmailIdentity: IdentifierIdentity {
    /// An e-mail address.
    public static var kind: IdentifierKind { .email }
    /// The address's shard.
    public var claimShard: Shard? { shard }
}

/// An identifier that an account held, or was about to take, with what is needed to release it.
public struct HeldIdentifier: Sendable {
    /// The kind of identifier.
    public let kind: IdentifierKind
    /// The identifier, sealed for the account.
    public let sealed: [UInt8]
    /// The identifier's claim when it was read; another claim may have replaced it since.
    public let claim: IdentifierClaim

    /// Takes the identifier of a sign-in.
    public init(_ identifier: NamedIdentifier) {
        self.init(kind: identifier.kind, sealed: identifier.sealed, claim: identifier.claim)
    }

    private init(kind: IdentifierKind, sealed: [UInt8], claim: IdentifierClaim) {
        self.kind = kind
        self.sealed = sealed
        self.claim = claim
    }

    /// Reads a script's flat list of kind, sealed identifier and claim.
    static func list(_ reply: ScriptReply, uid: String) throws(StoreUnavailable) -> [HeldIdentifier] {
        var held: [HeldIdentifier] = []
        for index in stride(from: 0, to: try reply.replies().count, by: 3) {
            guard let kind = IdentifierKind(rawValue: try reply.text(at: index)) else { throw .unexpectedReply }
            held.append(
                HeldIdentifier(
                    kind: kind,
                    sealed: try reply.bytes(at: index + 1),
                    claim: IdentifierClaim(uid: uid, id: try reply.text(at: index + 2))
                )
            )
        }
        return held
    }
}

/// An identifier that led to the account, or that the account is to take.
public struct NamedIdentifier: Sendable {
    /// The kind of identifier.
    public let kind: IdentifierKind
    /// The identifier's name in audit events.
    let name: String
    /// The identifier's claim, or the claim that it is to get.
    public let claim: IdentifierClaim
    let isFresh: Bool
    let sealed: [UInt8]

    /// Names an identifier by its claim; `isFresh` is true if a worker may still be using the claim.
    public init<Identity: IdentifierIdentity>(
        _ identity: Identity,
        claim: IdentifierClaim,
        isFresh: Bool,
        sealed: [UInt8]
    ) {
        kind = Identity.kind
        name = identity.auditName
        self.claim = claim
        self.isFresh = isFresh
        self.sealed = sealed
    }
}

extension IdentifierIdentity {
    /// The identifier's name in audit events: kind, colon, keyed hash.
    var auditName: String { "\(Self.kind.rawValue):\(hash)" }
}
