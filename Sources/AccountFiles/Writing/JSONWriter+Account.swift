internal import Encodings
internal import PhoneAuth

/// A password hash as written to a file.
struct WrittenHash {
    let hash: String
    let salt: String?
}

extension JSONWriter {
    /// Writes an account in Dialtone's format, with all its data.
    mutating func ownAccount(_ account: Account, _ hash: WrittenHash?) {
        common(account, hash)
        member(.createdAt, account.createdAt.milliseconds)
        if let time = account.lastLoginAt { member(.lastLoginAt, time.milliseconds) }
        if let time = account.passwordUpdatedAt { member(.passwordUpdatedAt, time.milliseconds) }
        if let seconds = account.revokedAt { member(.validSince, seconds) }
    }

    /// Writes an account as the Firebase CLI accepts it. The CLI rejects unknown members. `providerUserInfo` lists
    /// other providers only, so it is empty.
    mutating func firebaseAccount(_ account: Account, _ hash: WrittenHash?) {
        common(account, hash)
        member(.createdAt, String(account.createdAt.milliseconds))
        if let time = account.lastLoginAt { member(.lastSignedInAt, String(time.milliseconds)) }
        array(AccountField.providerUserInfo.rawValue) { _ in }
    }

    private mutating func common(_ account: Account, _ hash: WrittenHash?) {
        member(.localId, account.uid)
        if let number = account.phoneNumber { member(.phoneNumber, number) }
        if let email = account.email {
            member(.email, email)
            member(AccountField.emailVerified.rawValue, account.isEmailVerified)
        }
        if let hash {
            member(.passwordHash, hash.hash)
            if let salt = hash.salt { member(.salt, salt) }
        }
        if let name = account.displayName { member(.displayName, name) }
        if let url = account.photoURL { member(.photoUrl, url) }
        if let claims = account.customClaims { member(.customAttributes, claims.text) }
        member(AccountField.disabled.rawValue, account.isDisabled)
    }

    private mutating func member(_ field: AccountField, _ text: String) { member(field.rawValue, text) }

    private mutating func member(_ field: AccountField, _ number: Int64) { member(field.rawValue, number) }
}
