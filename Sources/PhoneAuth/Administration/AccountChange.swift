public import Encodings
public import Passwords
internal import RedisStore

/// What an operator sets of an account. What is not named stays as it is.
public struct AccountChange: Sendable, Confidential {
    /// What becomes of a text.
    public typealias Change = UpdateAccountRequest.Change

    /// What becomes of the password.
    public enum PasswordChange: Sendable {
        case unchanged
        /// A new one, as it would be typed.
        case set(String)
        /// One that was hashed elsewhere.
        case imported(StoredPassword)
        case removed
    }

    /// The number in any form that means just one.
    public var phoneNumber = Change.unchanged
    /// The e-mail address.
    public var email = Change.unchanged
    /// Whether the address is known to be the user's.
    public var isEmailVerified: Bool?
    /// The password.
    public var password = PasswordChange.unchanged
    /// When the password was last set, where it was elsewhere.
    public var passwordUpdatedAt: Instant?
    /// The name.
    public var displayName = Change.unchanged
    /// The address of the picture.
    public var photoURL = Change.unchanged
    /// The operator's own claims; nil leaves them as they are.
    public var customClaims: CustomClaims?
    /// Whether it may not sign in.
    public var isDisabled: Bool?
    /// Tokens issued before are revoked; seconds since the Unix epoch. Whatever it is, all tokens that exist are
    /// revoked. A time that lies ahead by no more than ``Policy/operatorClockSkew`` counts as now, a later one is
    /// refused: the account's user could not use new tokens until then.
    public var validSince: Int64?
    /// When it was made.
    public var createdAt: Instant?
    /// When it last signed in.
    public var lastLoginAt: Instant?
    /// The second factors that it is to have, and no others; nil leaves those that it has.
    public var secondFactors: [GivenSecondFactor]?

    /// A change that changes nothing yet.
    public init() {}

    /// Checks what does not depend on the account.
    func check(at now: Instant) throws(AccountRefusal) {
        if case .set(let name) = displayName, !DisplayName.isLegal(name) { throw .displayNameTooLong }
        if case .set(let url) = photoURL, url.utf8.count > Policy.maximumPhotoURLBytes { throw .photoURLTooLong }
        if let validSince, validSince > (now + Policy.operatorClockSkew).seconds {
            throw .validSinceInFuture(validSince)
        }
    }

    /// What changes in the account's hash, but for the identifiers that it gets, the password and second factors.
    func update(at now: Instant) -> AccountUpdate {
        var update = AccountUpdate()
        update.change(.displayName, displayName)
        update.change(.photoURL, photoURL)
        if let customClaims { update.fields[.customAttributes] = .some(customClaims.isEmpty ? nil : customClaims.text) }
        if let isDisabled { update.fields[.isDisabled] = .some(isDisabled ? "1" : nil) }
        if let isEmailVerified { update.fields[.isEmailVerified] = .some(isEmailVerified ? "1" : nil) }
        if let validSince { update.fields[.validSince] = String(min(validSince, now.seconds)) }
        if let createdAt { update.fields[.createdAt] = String(createdAt.milliseconds) }
        if let lastLoginAt { update.fields[.lastLoginAt] = String(lastLoginAt.milliseconds) }
        if case .removed = phoneNumber { update.removesNumber = true }
        if case .removed = email { update.removesEmail = true }
        return update
    }
}

extension AccountUpdate {
    mutating func change(_ field: AccountField, _ change: UpdateAccountRequest.Change) {
        switch change {
        case .unchanged: break
        case .set(let text): fields[field] = .some(text)
        case .removed: fields[field] = .some(nil)
        }
    }
}
