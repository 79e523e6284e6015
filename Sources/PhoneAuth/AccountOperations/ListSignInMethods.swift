public import RedisScripts

/// The sign-in methods of an e-mail address, as far as the project reveals them.
public enum SignInMethods: Sendable, Equatable {
    /// The project does not reveal which addresses have accounts (protection against user enumeration).
    case undisclosed
    /// The sign-in methods of the account; nil if no account has the address.
    case known([SignInProvider]?)
}

/// Why the sign-in methods were not returned.
public enum SignInMethodsRefusal: StoreRefusal {
    case emailInvalid
    case unavailable(StoreUnavailable)
}

extension OperationContext {
    /// Returns the sign-in methods of an e-mail address's account.
    /// - Throws: ``SignInMethodsRefusal``.
    public func signInMethods(of text: String) throws(SignInMethodsRefusal) -> SignInMethods {
        guard let email = EmailAddress(text) else { throw .emailInvalid }
        if project.protectsEmails { return .undisclosed }
        guard let holder = try SignInMethodsRefusal.wrapping(holder(of: identifier(email).identity)) else {
            try SignInMethodsRefusal.wrapping(store.confirmDeployment())
            return .known(nil)
        }
        let mayUsePassword = project.isPasswordSignInEnabled && holder.record.sealedPassword != nil
        let mayUseLink = project.isEmailLinkSignInEnabled && holder.record.signsInByLink
        return .known((mayUsePassword ? [.password] : []) + (mayUseLink ? [.emailLink] : []))
    }
}
