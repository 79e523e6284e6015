/// Why an e-mail with an action link was not requested, or a code in one was not accepted.
public enum EmailActionRefusal: OperationRefusal, UserRefusal {
    /// The operator has disabled the way to sign in that the link is for.
    case notOffered
    /// The operator has disabled password sign-in, so no password can be set.
    case passwordSignInDisabled
    case emailMissing
    case newEmailMissing
    /// No account has the address whose password the user forgot.
    case emailUnknown
    /// No account has the address that an administrator named.
    case accountUnknown
    /// The code is unknown, was used, is for something else, or the account has changed since.
    case codeInvalid
    case codeExpired
    /// The code was sent to another address.
    case emailMismatched
    /// The e-mail address or the password was rejected.
    case credential(CredentialRefusal)
    case accountDisabled
    case notAuthenticated(IDTokenRefusal)
    case failed(OperationFailure)
}
