/// What an administrator may do to a project.
public enum AdminAccess: String, Sendable, CaseIterable {
    /// Look up and list accounts.
    case read
    /// Read access, and everything that changes accounts or creates credentials.
    case write

    /// Whether this access is sufficient for an operation that needs `needed`.
    func includes(_ needed: AdminAccess) -> Bool { self == .write || needed == .read }
}

/// Why an administrator was denied access.
public enum AdminRefusal: Error {
    /// The credential was not made by this deployment, or has expired.
    case credentialInvalid
    /// The credential is for another project, or read-only.
    case notPermitted(String)
    case failed(OperationFailure)
}
