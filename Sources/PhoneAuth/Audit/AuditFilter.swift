public import RedisStore

/// Which events of the audit log are asked for. What is not given does not matter.
public struct AuditFilter: Sendable {
    /// Those of one project.
    public var project: Project?
    /// Those of the account of this `localId`.
    public var uid: String?
    /// Those about this number, in any form that means just one.
    public var phoneNumber: String?
    /// Those of these kinds; empty for all.
    public var kinds: Set<AuditEventKind> = []
    /// Those of one request.
    public var reference: DecisionReference?
    /// Those from this time on.
    public var since: Instant?

    /// Every event.
    public init() {}
}
