internal import Passwords

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

/// Why an e-mail address or a password was not accepted for an account.
public enum CredentialRefusal: Error, Equatable {
    /// The operator has disabled password sign-in for the project.
    case passwordSignInDisabled
    /// The account would have a password but no e-mail address.
    case emailMissing
    case emailInvalid
    /// Another account has the address.
    case emailExists
    /// The password has fewer characters than ``CredentialRefusal/minimumPasswordCharacters``.
    case passwordTooShort
    /// The password has more bytes than ``CredentialRefusal/maximumPasswordBytes``.
    case passwordTooLong

    /// The minimum length of a password, in characters: the protocol's, and Firebase's.
    public static let minimumPasswordCharacters = 6

    /// The maximum length of a password, in bytes: the longest that is hashed.
    public static let maximumPasswordBytes = Password.maximumBytes
}

extension EmailAddress {
    /// Parses a new e-mail address of an account.
    static func new(_ text: String) throws(CredentialRefusal) -> EmailAddress {
        guard let email = EmailAddress(text) else { throw .emailInvalid }
        return email
    }
}

extension Password {
    /// Parses a new password of an account.
    static func new(_ text: String) throws(CredentialRefusal) -> Password {
        guard text.unicodeScalars.count >= CredentialRefusal.minimumPasswordCharacters else { throw .passwordTooShort }
        guard let password = Password(text) else { throw .passwordTooLong }
        return password
    }
}
