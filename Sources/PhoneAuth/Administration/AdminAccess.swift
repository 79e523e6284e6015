/// What an administrator may do to a project.
public enum AdminAccess: String, Sendable, CaseIterable {
    /// Look up and list accounts.
    case read
    /// Read access, and everything that changes accounts or creates credentials.
    case write

    /// Returns whether this access is sufficient for an operation that needs `needed`.
    func includes(_ needed: AdminAccess) -> Bool { self == .write || needed == .read }
}
