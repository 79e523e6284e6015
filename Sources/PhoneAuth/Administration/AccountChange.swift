internal import RedisStore

/// What an operator sets of an account. What is not named stays as it is.
public struct AccountChange: Sendable, Confidential {
    /// What becomes of a text.
    public typealias Change = UpdateAccountRequest.Change

    /// The number in any form that means just one.
    public var phoneNumber = Change.unchanged
    /// The name.
    public var displayName = Change.unchanged
    /// The address of the picture.
    public var photoURL = Change.unchanged
    /// The operator's own claims; nil leaves them as they are.
    public var customClaims: CustomClaims?
    /// Whether it may not sign in.
    public var isDisabled: Bool?
    /// Tokens issued before are revoked; seconds since the Unix epoch.
    public var validSince: Int64?
    /// When it was made.
    public var createdAt: Instant?
    /// When it last signed in.
    public var lastLoginAt: Instant?

    /// A change that changes nothing yet.
    public init() {}

    /// Everything but the number, as it stands in the account's hash.
    var fields: [AccountField: String?] {
        var fields: [AccountField: String?] = [:]
        for (field, change) in [(AccountField.displayName, displayName), (.photoURL, photoURL)] {
            switch change {
            case .unchanged: break
            case .set(let text): fields[field] = .some(text)
            case .removed: fields[field] = .some(nil)
            }
        }
        if let customClaims { fields[.customAttributes] = .some(customClaims.isEmpty ? nil : customClaims.text) }
        if let isDisabled { fields[.isDisabled] = .some(isDisabled ? "1" : nil) }
        if let validSince { fields[.validSince] = String(validSince) }
        if let createdAt { fields[.createdAt] = String(createdAt.milliseconds) }
        if let lastLoginAt { fields[.lastLoginAt] = String(lastLoginAt.milliseconds) }
        return fields
    }

    func checkSizes() throws(AccountRefusal) {
        if case .set(let name) = displayName, name.unicodeScalars.count > Policy.maximumDisplayNameCharacters {
            throw .displayNameTooLong
        }
        if case .set(let url) = photoURL, url.utf8.count > Policy.maximumPhotoURLBytes { throw .photoURLTooLong }
    }
}
