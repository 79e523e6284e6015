internal import Encodings
internal import Redis

/// What all events of one call have in common. The script that makes a change writes the event of it in the same step, so that
/// neither is there without the other.
///
/// Nothing here can be read by whoever reads Redis: numbers, e-mail addresses and networks are keyed hashes.
public struct AuditContext: Sendable {
    /// How much of the log is kept.
    public struct Retention: Sendable {
        let milliseconds: Int64
        let eventsPerShard: Int

        /// Events of the last `milliseconds`, of all shards together about `events` at most: the oldest go first.
        public init(milliseconds: Int64, events: Int, among shards: ShardCount) {
            self.milliseconds = milliseconds
            eventsPerShard = max(1, events / shards.value)
        }
    }

    let now: Int64
    let project: String
    let actor: AuditActor
    let reference: DecisionReference?
    let networkHash: String?
    private(set) var identifiers: AuditedIdentifiers
    let retention: Retention

    /// A call at `now`, milliseconds since the Unix epoch. The `reference` is that of the request, and the hash that of the
    /// client's network, where there are any. Events name those of the `identifiers` that they are about.
    public init(
        now: Int64,
        project: String,
        actor: AuditActor,
        reference: DecisionReference?,
        networkHash: String?,
        identifiers: AuditedIdentifiers,
        retention: Retention
    ) {
        self.now = now
        self.project = project
        self.actor = actor
        self.reference = reference
        self.networkHash = networkHash
        self.identifiers = identifiers
        self.retention = retention
    }

    /// The same, whose events may be about one more identifier.
    func naming(_ identifier: SignInRecord.Identifier?) -> AuditContext {
        guard let identifier else { return self }
        var context = self
        context.identifiers.add(identifier)
        return context
    }

    /// How the scripts get it for accounts of a shard; `audit.lua` says what they make of it.
    func argument(in shard: Shard) -> [UInt8] {
        JSONWriter.object { json in
            json.member("now", String(now))
            json.member("oldest", String(now - retention.milliseconds))
            json.member("life", String(retention.milliseconds))
            json.member("most", String(retention.eventsPerShard))
            json.member("project", project)
            json.member("accounts", KeyNames.userPrefix(shard, project))
            json.member("actor", actor.text)
            json.member("isOperator", actor.isOperator)
            json.member("reference", reference?.digits ?? "")
            json.member("network", networkHash ?? "")
            json.object("identifiers") { json in
                for (claim, name) in identifiers.names { json.member(claim, name) }
            }
        }
    }
}

extension Store {
    /// Runs a script, which may have to be confirmed by replicas, that tells the audit log what it changes; nil where none is kept.
    func run(
        _ script: Script,
        isConfirmed: Bool = false,
        keys: [String],
        _ arguments: [Argument],
        audit: AuditContext?,
        in shard: Shard
    ) throws(StoreUnavailable) -> ScriptReply {
        try run(script, isConfirmed: isConfirmed, ScriptCall(keys: keys, arguments: arguments, audit: audit, in: shard))
    }
}
