internal import Encodings

/// An event of the audit log.
public struct AuditEvent: Sendable {
    /// When the event happened; milliseconds since the Unix epoch.
    public let at: Int64
    /// The kind, a raw value of ``AuditEventKind``. A later release may add kinds.
    public let kind: String
    /// The project's id.
    public let project: String
    /// The account's `localId`.
    public let uid: String
    /// The actor, see ``AuditActor/text``.
    public let actor: String
    /// Details: how the user signed in, what was linked or removed, what the response was.
    public let detail: String?
    /// The reference of the request that caused the event.
    public let reference: DecisionReference?
    /// A keyed hash of the client's network.
    public let networkHash: String?
    /// The numbers and e-mail addresses that the event is about: kind, colon, keyed hash. A change names the new one
    /// first.
    public let identifiers: [String]

    init?(_ fields: HashFields) {
        func text(_ name: String) -> String? {
            fields.text(name).flatMap { $0.isEmpty ? nil : $0 }
        }
        guard let at = fields.integer("at"), let kind = text("kind"), let project = text("project"),
            let uid = text("uid"), let actor = text("actor")
        else { return nil }
        self.at = at
        self.kind = kind
        self.project = project
        self.uid = uid
        self.actor = actor
        detail = text("detail")
        reference = text("reference").flatMap { DecisionReference($0) }
        networkHash = text("network")
        identifiers = (text("identifiers") ?? "").split(separator: " ").map(String.init)
    }

    /// Returns whether the event is about this number or e-mail address.
    public func names<Subject: IdentifierSubject>(_ identifier: HashedIdentity<Subject>) -> Bool {
        identifiers.contains(AuditedIdentifiers.name(identifier))
    }

    /// One line of JSON, without a line break. Unknown values have no member; times are milliseconds.
    public var json: [UInt8] {
        JSONWriter.object { json in
            json.member("at", at)
            json.member("kind", kind)
            json.member("project", project)
            json.member("account", uid)
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
