internal import Encodings
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
    public func names(_ identifier: some IdentifierIdentity) -> Bool {
        identifiers.contains(identifier.auditName)
    }

    /// One line of JSON, without a line break. Unknown values have no member; times are milliseconds.
    public var json: [UInt8] {
        JSONWriter.object { json in
            json.member("at", at)
            json.member("kind", kind)
            if !project.isEmpty { json.member("project", project) }
            if !uid.isEmpty { json.member("account", uid) }
            json.member("actor", actor)
            if let detail { json.member("detail", detail) }
            if let reference { json.member("reference", reference.text) }
            if let networkHash { json.member("network", networkHash) }
            if !identifiers.isEmpty {
                json.array("identifiers") { json in
                    for identifier in identifiers { json.value(identifier) }
                }
            }
        }
    }
}
