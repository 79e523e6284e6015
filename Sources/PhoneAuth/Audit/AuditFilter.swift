internal import RedisScripts

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
