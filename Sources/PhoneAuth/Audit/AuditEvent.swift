public import Encodings
internal import RedisScripts

/// An event of the audit log.
public struct AuditEvent: Sendable {
    /// When the event happened; milliseconds since the Unix epoch.
    public let at: Int64
    /// The kind, a raw value of ``AuditEventKind``. A later release may add kinds.
    public let kind: String
    /// The project's id; empty for a change to the whole deployment.
    public let project: String
    /// The account's `localId`; empty for a change that is not about an account.
    public let uid: String
    /// The actor, see ``AuditActor/text``.
    public let actor: String
    /// Details: how the user signed in, what was linked or removed, what the response was.
    public let detail: String?
    /// The reference of the request that caused the event.
    public let reference: DecisionReference?
    /// A keyed hash of the client's network; for an operator's change that is not about an account, the address itself.
    public let networkHash: String?
    /// The numbers and e-mail addresses that the event is about: kind, colon, keyed hash. A change names the new one
    /// first.
    public let identifiers: [String]

    /// The lines of the field `event`, as `audit-event.lua` writes them. Only the uid may contain line breaks.
    private static let lineNames = [
        "at", "kind", "detail", "actor", "project", "reference", "network", "identifiers", "uid",
    ]

    /// Reads an entry of the stream. Returns nil if its format is unknown.
    init?(_ fields: HashFields) {
        let fields = PackedFields(fields, packed: ["event": Self.lineNames])
        guard let at = fields.integer("at"), let kind = fields.text("kind"), let project = fields.text("project"),
            let uid = fields.text("uid"), let actor = fields.text("actor")
        else { return nil }
        self.at = at
        self.kind = kind
        self.project = project
        self.uid = uid
        self.actor = actor
        detail = fields.nonEmptyText("detail")
        reference = fields.text("reference").flatMap { DecisionReference($0) }
        networkHash = fields.nonEmptyText("network")
        identifiers = (fields.text("identifiers") ?? "").split(separator: " ").map(String.init)
    }

    /// Returns whether the event is about this number or e-mail address.
    func names(_ identifier: some IdentifierIdentity) -> Bool {
        identifiers.contains(identifier.auditName)
    }
}

/// The kinds of audit events. The raw values are in the log; the scripts write them.
public enum AuditEventKind: String, Sendable, CaseIterable {
    /// A user's first sign-in created an account.
    case signUp = "sign-up"
    /// An operator created an account.
    case accountCreated = "account-created"
    /// A user signed in.
    case signIn = "sign-in"
    /// An account that had no number, or no e-mail address, got one.
    case link
    /// An account lost its number or its e-mail address.
    case unlink
    /// An account's number was replaced by another one.
    case numberChange = "number-change"
    /// An account's e-mail address was replaced by another one.
    case emailChange = "email-change"
    /// A user proved the account's e-mail address by a code that was sent to it.
    case emailVerified = "email-verified"
    /// A password was set or removed.
    case passwordChange = "password-change"
    /// A second factor was enrolled.
    case secondFactorEnrolled = "second-factor-enrolled"
    /// A second factor was removed.
    case secondFactorWithdrawn = "second-factor-withdrawn"
    /// New recovery codes replaced all existing ones.
    case recoveryCodesMade = "recovery-codes-made"
    /// A recovery code was used instead of a second factor.
    case recoveryCodeUsed = "recovery-code-used"
    /// All earlier tokens of an account were revoked.
    case tokensRevoked = "tokens-revoked"
    /// An earlier generation of a refresh token, or a used authorization code, was presented: it was copied, and its
    /// session ended for all holders.
    case tokenReused = "token-reused"
    /// One session of an account ended: by its user, by an operator, or by the server, because an authorization code
    /// was presented by a client other than the one it was issued to.
    case sessionEnded = "session-ended"
    /// A sign-in with a number that the account last proved too long ago, and that may have been recycled.
    case recycledNumber = "recycled-number"
    /// An operator changed something that is not about one account: the configuration, a test number, a token, a key,
    /// a limit.
    case operatorChange = "operator-change"
    /// An operator made a change to an account that has no kind of its own.
    case adminChange = "admin-change"
    /// An account was disabled.
    case accountDisabled = "account-disabled"
    /// An account was enabled again.
    case accountEnabled = "account-enabled"
    /// An account was deleted.
    case accountDeleted = "account-deleted"
}

/// The id of an entry in a shard's stream: Redis's time and a sequence number. Ids of different shards are comparable.
struct AuditEntryID: Comparable, Sendable {
    let milliseconds: Int64
    let sequence: UInt64

    init(milliseconds: Int64, sequence: UInt64 = 0) {
        self.milliseconds = milliseconds
        self.sequence = sequence
    }

    init(text: String) throws(StoreUnavailable) {
        let parts = text.split(separator: "-")
        guard parts.count == 2, let milliseconds = Int64(parts[0]), let sequence = UInt64(parts[1]) else {
            throw .unexpectedReply
        }
        self.init(milliseconds: milliseconds, sequence: sequence)
    }

    var text: String { "\(milliseconds)-\(sequence)" }

    static func < (left: AuditEntryID, right: AuditEntryID) -> Bool {
        (left.milliseconds, left.sequence) < (right.milliseconds, right.sequence)
    }
}

/// A filter for events of the audit log. Criteria that are not set match every event.
public struct AuditFilter: Sendable {
    /// Events of this project and of the whole deployment.
    public var project: Project?
    /// Events of the account with this `localId`.
    public var uid: String?
    /// Events about this number, in any unambiguous form.
    public var phoneNumber: String?
    /// Events of these kinds; empty for all.
    public var kinds: Set<AuditEventKind> = []
    /// Events of one request.
    public var reference: DecisionReference?
    /// Events at or after this time.
    public var since: Instant?

    /// Creates a filter that matches every event.
    public init() {}
}
