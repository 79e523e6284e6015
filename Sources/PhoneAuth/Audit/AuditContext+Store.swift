internal import Redis
internal import RedisScripts

/// What all events of one call share. The script that makes a change writes its event in the same step, so that neither
/// exists without the other.
///
/// Numbers, e-mail addresses and networks are stored as keyed hashes, which read access to Redis alone does not reveal.
public struct AuditContext: Sendable {
    /// How much of the log is kept.
    public struct Retention: Sendable {
        let milliseconds: Int64
        let eventsPerShard: Int

        /// Keeps events of the last `milliseconds`, and at most about `events` in all shards together. The oldest are
        /// removed first.
        init(milliseconds: Int64, events: Int, among shards: ShardCount) {
            self.milliseconds = milliseconds
            eventsPerShard = max(1, events / shards.value)
        }
    }

    /// Milliseconds since the Unix epoch.
    let now: Int64
    let project: String
    let actor: AuditActor
    /// The reference of the request.
    let reference: DecisionReference?
    /// The hash of the client's network; nil if unknown.
    let networkHash: String?
    /// The identifiers that each event is about.
    private(set) var identifiers: AuditedIdentifiers
    let retention: Retention

    /// Returns this context with one more identifier that its events may name.
    func naming(_ identifier: NamedIdentifier?) -> AuditContext {
        guard let identifier else { return self }
        var context = self
        context.identifiers.add(identifier)
        return context
    }

    /// Returns the argument of scripts for accounts of a shard, as `audit-event.lua` documents it.
    func argument(in shard: Shard) -> Argument {
        .packed([
            .integer(now),
            .text(KeyNames.userPrefix(shard, project)),
            .flag(actor.isOperator),
            .text(identifiers.names.map { "\n\($0) \($1)" }.joined()),
            .integer(now - retention.milliseconds),
            .count(retention.eventsPerShard),
            .integer(retention.milliseconds),
            // Each value of an event is a line.
            .bytes(actor.text.utf8.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }),
            .text("\(project)\n\(reference?.digits ?? "")\n\(networkHash ?? "")"),
        ])
    }
}

/// The names of identifiers in audit events (kind, colon, keyed hash). Scripts know identifiers only by their claims.
public struct AuditedIdentifiers: Sendable {
    /// The names by the ids of their claims.
    private(set) var names: [String: String] = [:]

    /// Creates an empty collection.
    public init() {}

    /// Names the identifier that an account holds, or is to hold, by a claim.
    mutating func add(_ identifier: some IdentifierIdentity, claimID: String) {
        names[claimID] = identifier.auditName
    }

    mutating func add(_ identifier: NamedIdentifier) {
        names[identifier.claim.id] = identifier.name
    }
}
