/// What becomes of anonymous accounts that no one uses any longer. Their users cannot sign in again, so an account whose
/// app was deleted stays for ever.
public struct UnusedAnonymousUsers: Hashable, Sendable {
    /// Whether they are deleted: the protocol's `autodeleteAnonymousUsers`.
    public var areDeleted: Bool
    /// How long after the last sign-in or token refresh.
    public var after: Duration

    /// They are kept unless it is said otherwise, and else deleted after the 30 days of Identity Platform.
    public init(areDeleted: Bool = false, after: Duration = .seconds(30 * 86_400)) {
        self.areDeleted = areDeleted
        self.after = after
    }
}
