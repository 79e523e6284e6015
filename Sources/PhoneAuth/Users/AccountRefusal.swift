/// Why an operator's change to an account was rejected.
public enum AccountRefusal: OperationRefusal {
    case uidInvalid
    case uidTaken
    case accountUnknown
    case numberInvalid
    /// Another account holds the number.
    case numberExists
    /// The number is a test number. Only its fixed code creates an account with it or links it.
    case numberIsTestNumber
    /// The e-mail address or the password was rejected.
    case credential(CredentialRefusal)
    case displayNameTooLong
    case photoURLTooLong
    /// The time, in seconds since the Unix epoch, is in the future: all tokens issued until then would be revoked.
    case validSinceInFuture(Int64)
    /// A second factor was rejected.
    case secondFactor(AssignedSecondFactorFault)
    case failed(OperationFailure)
}
