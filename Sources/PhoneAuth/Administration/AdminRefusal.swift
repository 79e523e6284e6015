/// Why an administrator was denied access.
public enum AdminRefusal: Error {
    /// The credential was not made by this deployment, or has expired.
    case credentialInvalid
    /// The credential is for another project, or read-only.
    case notPermitted(String)
    case failed(OperationFailure)
}
