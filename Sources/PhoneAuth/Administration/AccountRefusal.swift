/// Why an operator's change to an account was refused.
public enum AccountRefusal: Error {
    case uidInvalid
    case uidTaken
    case accountUnknown
    case numberInvalid
    /// Another account holds the number.
    case numberExists
    /// The e-mail address or the password is not taken.
    case credential(CredentialRefusal)
    case displayNameTooLong
    case photoURLTooLong
    /// All tokens until then would be revoked: seconds since the Unix epoch.
    case validSinceInFuture(Int64)
    /// A second factor is not taken.
    case secondFactor(GivenSecondFactorFault)
    case failed(OperationFailure)
}
