internal import Encodings

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

/// Why an operator's second factors are rejected.
public enum AssignedSecondFactorFault: Error, Hashable {
    case numberInvalid
    /// The number is a test number, which only its fixed code enrolls.
    case numberIsTestNumber
    case idMissing
    /// The id is longer than ``AccountID/maximumCharacters``, or has a control character.
    case idInvalid
    /// Two factors have the same id.
    case idRepeated
    /// The secret is missing, and the account has no authenticator app with that id.
    case secretMissing
    /// The secret is not base32, too short or too long.
    case secretInvalid
    /// There are more than ``SecondFactor/maximumPerAccount``.
    case tooMany
}
