/// Why an operator's change to an account was refused.
public enum AccountRefusal: Error {
    case uidInvalid
    case uidTaken
    case accountUnknown
    case numberInvalid
    /// Another account holds the number.
    case numberExists
    case displayNameTooLong
    case photoURLTooLong
    case failed(OperationFailure)
}
