internal import Passwords

/// What becomes of an account's e-mail address and password.
struct CredentialChange {
    private(set) var newEmail: EmailAddress?
    private(set) var newPassword: Password?
    let removesEmail: Bool
    let removesPassword: Bool
    /// Whether anything changes.
    let isChange: Bool
    /// Whether something changes that the account had: a thief of an ID token must not do that. Whoever adds a way to sign in
    /// may have signed in long ago, as anonymous users have.
    let replacesSomething: Bool
    /// Whether the account has both afterwards.
    let makesPasswordUser: Bool

    init(
        _ request: UpdateAccountRequest,
        of account: Account,
        in project: Project
    ) throws(CredentialRefusal) {
        if case .set(let text) = request.email {
            guard project.isPasswordSignInEnabled else { throw .passwordSignInDisabled }
            let email = try EmailAddress.new(text)
            // The address that it has stays verified.
            if email.text != account.email { newEmail = email }
        }
        if case .set(let text) = request.password {
            guard project.isPasswordSignInEnabled else { throw .passwordSignInDisabled }
            newPassword = try Password.new(text)
        }
        if case .removed = request.email { removesEmail = account.email != nil } else { removesEmail = false }
        if case .removed = request.password { removesPassword = account.hasPassword } else { removesPassword = false }
        guard newPassword == nil || newEmail != nil || account.email != nil && !removesEmail else {
            throw .emailMissing
        }
        isChange = newEmail != nil || newPassword != nil || removesEmail || removesPassword
        replacesSomething =
            removesEmail || removesPassword || newEmail != nil && account.email != nil
            || newPassword != nil && account.hasPassword
        makesPasswordUser =
            (newEmail != nil || account.email != nil && !removesEmail)
            && (newPassword != nil || account.hasPassword && !removesPassword)
    }
}
