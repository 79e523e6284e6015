/// Whether and when unused anonymous accounts are deleted. Their users cannot sign in again, so without deletion the
/// account of a removed app stays forever.
public struct UnusedAnonymousUsers: Hashable, Sendable {
    /// Whether unused anonymous accounts are deleted: the protocol's `autodeleteAnonymousUsers`.
    public var areDeleted: Bool
    /// The time since the last sign-in or token refresh after which an account is unused.
    public var after: Duration

    /// Creates a policy. By default the accounts are kept. If deletion is on, they are deleted after 30 days by
    /// default, as in Identity Platform.
    public init(areDeleted: Bool = false, after: Duration = .seconds(30 * 86_400)) {
        self.areDeleted = areDeleted
        self.after = after
    }
}
