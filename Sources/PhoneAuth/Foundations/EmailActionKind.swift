/// What the code in an e-mail is for. The raw values are the protocol's `requestType`.
public enum EmailActionKind: String, Sendable, CaseIterable {
    /// Sets a new password.
    case passwordReset = "PASSWORD_RESET"
    /// Verifies the account's address.
    case verifyEmail = "VERIFY_EMAIL"
    /// Signs in without a password.
    case signIn = "EMAIL_SIGNIN"
    /// Gives the account another address, which receives the e-mail.
    case changeEmail = "VERIFY_AND_CHANGE_EMAIL"
    /// Gives the account its former address back, which receives the e-mail.
    case recoverEmail = "RECOVER_EMAIL"

    /// The `mode` of action links.
    public var mode: String {
        switch self {
        case .passwordReset: "resetPassword"
        case .verifyEmail: "verifyEmail"
        case .signIn: "signIn"
        case .changeEmail: "verifyAndChangeEmail"
        case .recoverEmail: "recoverEmail"
        }
    }
}
