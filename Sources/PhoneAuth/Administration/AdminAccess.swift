/// What an administrator may do to a project.
public enum AdminAccess: String, Sendable, CaseIterable {
    /// Look accounts up, and list them.
    case read
    /// That, and everything that changes them or makes a credential.
    case write

    /// Whether it is enough for an operation that needs `needed`.
    func includes(_ needed: AdminAccess) -> Bool { self == .write || needed == .read }
}

/// Why an administrator was not let in.
public enum AdminRefusal: Error {
    /// The credential is none of ours, or its time is up.
    case credentialInvalid
    /// The credential is for another project, or for reading alone.
    case notPermitted(String)
    case failed(OperationFailure)
}
