internal import Passwords

/// A change of an account's e-mail address and password.
struct CredentialChange {
    private(set) var newEmail: EmailAddress?
    private(set) var newPassword: Password?
    let removesEmail: Bool
    let removesPassword: Bool
    /// Whether anything changes.
    let isChange: Bool
    /// The operations that the changes amount to, each of which requires a certain freshness of the sign-in.
    let operations: [IDTokenOperation]
    /// Whether the account gets a new sign-in method. Blocking hooks are called for that.
    var linksIdentifier: Bool { operations.contains { $0 == .linkPassword || $0 == .changeEmail } }
    /// Whether the session's sign-in method is the password afterwards, as in the reference emulator: the user has just
    /// set the password, or an anonymous user now has everything that a password sign-in needs.
    private let setsPassword: Bool
    private let makesPasswordUser: Bool

    init(
        _ request: UpdateAccountRequest,
        of account: Account,
        in project: Project
    ) throws(CredentialRefusal) {
        if case .set(let text) = request.email {
            guard project.isPasswordSignInEnabled else { throw .passwordSignInDisabled }
            let email = try EmailAddress.new(text)
            // The account's current address stays verified.
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
        var operations: [IDTokenOperation] = []
        if newEmail != nil { operations.append(account.email == nil ? .linkPassword : .changeEmail) }
        if newPassword != nil { operations.append(account.hasPassword ? .changePassword : .linkPassword) }
        if removesEmail || removesPassword { operations.append(.unlinkPassword) }
        self.operations = operations
        setsPassword = newPassword != nil
        makesPasswordUser =
            (newEmail != nil || account.email != nil && !removesEmail)
            && (newPassword != nil || account.hasPassword && !removesPassword)
    }

    /// Returns the session's sign-in method after the change.
    func provider(after former: SignInProvider) -> SignInProvider {
        setsPassword || former == .anonymous && makesPasswordUser ? .password : former
    }
}
