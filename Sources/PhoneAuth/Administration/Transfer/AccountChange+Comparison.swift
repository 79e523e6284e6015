internal import Passwords

extension AccountChange {
    /// Returns whether an account already has this change and has only been used since: its user signed in later, has a
    /// stronger password hash, or had tokens revoked. Ignores second factors.
    func isDone(in account: Account, _ password: StoredPassword?, _ assignments: IdentifierAssignments) -> Bool {
        isSame(phoneNumber, account.phoneNumber, assignments.number?.text)
            && isSame(email, account.email, assignments.email?.text)
            && isSame(displayName, account.displayName)
            && isSame(photoURL, account.photoURL)
            && isEmailVerified.map { $0 == account.isEmailVerified || account.email == nil } ?? true
            && isDisabled.map { $0 == account.isDisabled } ?? true
            && customClaims.map { $0.isEmpty ? account.customClaims == nil : $0.text == account.customClaims?.text }
                ?? true
            && createdAt.map { $0 == account.createdAt } ?? true
            && lastLoginAt.map { time in account.lastLoginAt.map { time <= $0 } ?? false } ?? true
            && validSince.map { time in account.revokedAt.map { time <= $0 } ?? false } ?? true
            && isDone(in: password, updatedAt: account.passwordUpdatedAt)
    }

    /// Compares a text with its change; `normalized` is the form in which the account stores it.
    private func isSame(_ change: Change, _ text: String?, _ normalized: String? = nil) -> Bool {
        switch change {
        case .unchanged: true
        case .set(let given): text == normalized ?? given
        case .removed: text == nil
        }
    }

    private func isDone(in stored: StoredPassword?, updatedAt: Instant?) -> Bool {
        switch password {
        case .unchanged: return true
        case .removed: return stored == nil
        case .set:
            // An earlier run of the import hashed the password, or the user changed it.
            guard case .argon2id = stored else { return false }
            return passwordUpdatedAt.map { time in updatedAt.map { time <= $0 } ?? false } ?? true
        case .imported(let imported):
            guard let stored else { return false }
            if stored.text == imported.text { return true }
            // A sign-in rehashed the password with Argon2id, or the user changed it.
            guard case .argon2id = stored else { return false }
            if let passwordUpdatedAt { return updatedAt.map { passwordUpdatedAt <= $0 } ?? false }
            if case .argon2id = imported { return false }
            return true
        }
    }
}
