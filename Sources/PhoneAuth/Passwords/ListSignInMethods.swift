public import RedisStore

/// How the owner of an e-mail address may sign in, as far as it is told.
public enum SignInMethods: Sendable, Equatable {
    /// The project keeps to itself which addresses have accounts.
    case notTold
    /// The providers by which it may; nil where no account has the address.
    case known([SignInProvider]?)
}

/// Why it was not told how to sign in.
public enum SignInMethodsRefusal: Error {
    case emailInvalid
    case unavailable(StoreUnavailable)
}

extension Authenticator {
    /// How the owner of an e-mail address may sign in.
    /// - Throws: ``SignInMethodsRefusal``.
    public func signInMethods(of text: String, in project: Project) throws(SignInMethodsRefusal) -> SignInMethods {
        guard let email = EmailAddress(text) else { throw .emailInvalid }
        do {
            if project.protectsEmails { return .notTold }
            guard let holder = try holder(of: identifier(email, in: project).identity) else { return .known(nil) }
            let mayUsePassword = project.isPasswordSignInEnabled && holder.record.sealedPassword != nil
            return .known(mayUsePassword ? [.password] : [])
        } catch {
            throw .unavailable(error)
        }
    }
}
