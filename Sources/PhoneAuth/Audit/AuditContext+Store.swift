internal import Redis
public import RedisScripts

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
        public init(milliseconds: Int64, events: Int, among shards: ShardCount) {
            self.milliseconds = milliseconds
            eventsPerShard = max(1, events / shards.value)
        }
    }

    let now: Int64
    let project: String
    let actor: AuditActor
    let reference: DecisionReference?
    /// The hash of the client's network; nil if unknown.
    public let networkHash: String?
    private(set) var identifiers: AuditedIdentifiers
    let retention: Retention

    /// Describes a call at `now`, milliseconds since the Unix epoch. `reference` is the reference of the request, and
    /// `networkHash` the hash of the client's network, if known. Each event names the `identifiers` that it is about.
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

    /// Returns this context with one more identifier that its events may name.
    func naming(_ identifier: SignInRecord.Identifier?) -> AuditContext {
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

/// The author of a change in the audit log.
public enum AuditActor: Sendable, Hashable {
    /// The account's own user.
    case user
    /// One of the operator's servers, through a custom token or as an administrator; the service account's name.
    case serviceAccount(String)
    /// The holder of an admin token; the token's id.
    case administrator(String)
    /// An operator on the command line: the user and the host, or "" if unknown.
    case commandLine(String)
    /// Dialtone itself, by a rule that the operator set.
    case server

    /// Whether the log records all changes of fields, and not only those that affect how a user signs in.
    var isOperator: Bool {
        switch self {
        case .serviceAccount, .administrator, .commandLine: true
        case .user, .server: false
        }
    }

    /// The actor as written in the log.
    public var text: String {
        switch self {
        case .user: "user"
        case .serviceAccount(let name): "service-account \(name)"
        case .administrator(let name): "administrator \(name)"
        case .commandLine(let name): name.isEmpty ? "command-line" : "command-line \(name)"
        case .server: "server"
        }
    }
}

/// The names of identifiers in audit events (kind, colon, keyed hash). Scripts know identifiers only by their claims.
public struct AuditedIdentifiers: Sendable {
    /// The names by the ids of their claims.
    private(set) var names: [String: String] = [:]

    /// Creates an empty collection.
    public init() {}

    /// Names the identifier that an account holds, or is to hold, by a claim.
    public mutating func add(_ identifier: some IdentifierIdentity, claimID: String) {
        names[claimID] = Self.name(identifier)
    }

    mutating func add(_ identifier: SignInRecord.Identifier) {
        names[identifier.claim.id] = identifier.name
    }

    static func name<Identity: IdentifierIdentity>(_ identifier: Identity) -> String {
        "\(Identity.kind.rawValue):\(identifier.hash)"
    }
}
