internal import Passwords

extension AccountChange {
    /// Whether an account is as this change would make it, or was, and has only been used since: its user signed in later, has a
    /// stronger hash of a password, or had tokens revoked. Second factors are not looked at.
    func isDone(in account: Account, _ password: StoredPassword?, _ gifts: IdentifierGifts) -> Bool {
        isSame(phoneNumber, account.phoneNumber, gifts.number?.text)
            && isSame(email, account.email, gifts.email?.text)
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

    /// `normalised` is how the account would have it.
    private func isSame(_ change: Change, _ text: String?, _ normalised: String? = nil) -> Bool {
        switch change {
        case .unchanged: true
        case .set(let given): text == normalised ?? given
        case .removed: text == nil
        }
    }

    private func isDone(in stored: StoredPassword?, updatedAt: Instant?) -> Bool {
        switch password {
        case .unchanged: return true
        case .removed: return stored == nil
        case .set: return false
        case .imported(let imported):
            guard let stored else { return false }
            if stored.text == imported.text { return true }
            // A sign-in replaced it by a hash of ours, or its user by another password.
            guard case .argon2id = stored else { return false }
            if let passwordUpdatedAt { return updatedAt.map { passwordUpdatedAt <= $0 } ?? false }
            if case .argon2id = imported { return false }
            return true
        }
    }
}
