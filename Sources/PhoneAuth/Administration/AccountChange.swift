public import Encodings
public import Passwords

/// An operator's change to an account. Properties that are not set leave the account unchanged.
public struct AccountChange: Sendable, Confidential {
    /// The tolerance for operators' servers whose clocks are ahead: a revocation must not fail because of clock skew.
    static let operatorClockSkew: Duration = .seconds(300)

    /// A change to a text.
    public typealias Change = UpdateAccountRequest.Change

    /// A change to the password.
    public enum PasswordChange: Sendable {
        case unchanged
        /// A new password in plain text.
        case set(String)
        /// A hash from another system.
        case imported(StoredPassword)
        case removed
    }

    /// The number in any unambiguous form.
    public var phoneNumber = Change.unchanged
    /// The e-mail address.
    public var email = Change.unchanged
    /// Whether the e-mail address is verified.
    public var isEmailVerified: Bool?
    /// The password.
    public var password = PasswordChange.unchanged
    /// When an imported password was last set.
    public var passwordUpdatedAt: Instant?
    /// The name.
    public var displayName = Change.unchanged
    /// The URL of the picture.
    public var photoURL = Change.unchanged
    /// The custom claims; nil leaves them unchanged.
    public var customClaims: CustomClaims?
    /// Whether sign-in is disabled.
    public var isDisabled: Bool?
    /// Tokens issued before this time are revoked; seconds since the Unix epoch. All existing tokens are revoked,
    /// whatever the time. A time at most ``AccountChange/operatorClockSkew`` in the future counts as now. A later time
    /// is rejected, because the user could not use new tokens until then.
    public var validSince: Int64?
    /// When the account was created.
    public var createdAt: Instant?
    /// When the account last signed in.
    public var lastLoginAt: Instant?
    /// The account's complete new list of second factors; nil leaves them unchanged.
    public var secondFactors: [AssignedSecondFactor]?

    /// Creates an empty change.
    public init() {}

    /// Checks what does not depend on the account.
    func check(at now: Instant) throws(AccountRefusal) {
        if case .set(let name) = displayName, !DisplayName.isLegal(name) { throw .displayNameTooLong }
        if case .set(let url) = photoURL, url.utf8.count > Account.maximumPhotoURLBytes { throw .photoURLTooLong }
        if let validSince, validSince > (now + AccountChange.operatorClockSkew).seconds {
            throw .validSinceInFuture(validSince)
        }
    }

    /// Returns the changes to the account's hash, without new identifiers, the password and second factors.
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
