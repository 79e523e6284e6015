internal import Encodings
internal import RedisStore

/// A user as hooks are told of: as the account will be when the sign-in is done. A second factor that is about to be enrolled is not
/// among those that it has.
struct HookedUser: Sendable, Confidential {
    let uid: String
    private(set) var phoneNumber: String?
    private(set) var email: String?
    private(set) var isEmailVerified = false
    private(set) var hasPassword = false
    private(set) var displayName: String?
    private(set) var photoURL: String?
    private(set) var isDisabled = false
    private(set) var customClaims: CustomClaims?
    private(set) var secondFactors: [SecondFactor] = []
    let createdAt: Instant
    /// nil where it never signed in: operators made it.
    let lastLoginAt: Instant?
    let validSince: Int64

    /// An account that is there.
    init(_ account: Account) {
        uid = account.uid
        phoneNumber = account.phoneNumber
        email = account.email
        isEmailVerified = account.isEmailVerified
        hasPassword = account.hasPassword
        displayName = account.displayName
        photoURL = account.photoURL
        isDisabled = account.isDisabled
        customClaims = account.customClaims
        secondFactors = account.secondFactors
        createdAt = account.createdAt
        lastLoginAt = account.lastLoginAt
        validSince = account.validSince
    }

    /// An account that is to be made.
    init(uid: String, at now: Instant) {
        self.uid = uid
        createdAt = now
        lastLoginAt = now
        validSince = now.seconds
    }

    /// The identifier that led here, or that the account is to take.
    mutating func hold(_ kind: IdentifierKind, _ text: String) {
        switch kind {
        case .phone: phoneNumber = text
        case .email:
            // What was verified of the former address is not of this one.
            if email != text { isEmailVerified = false }
            email = text
        }
    }

    /// What changes with the sign-in anyway.
    mutating func take(_ update: AccountUpdate) {
        if update.sealedPassword != nil { hasPassword = true }
        take(update.fields)
    }

    /// What a hook changes.
    mutating func take(_ changes: HookChanges) { take(changes.fields) }

    private mutating func take(_ fields: [AccountField: String?]) {
        for (field, value) in fields {
            switch field {
            case .displayName: displayName = value
            case .photoURL: photoURL = value
            case .isDisabled: isDisabled = value == "1"
            case .isEmailVerified: isEmailVerified = value == "1"
            case .customAttributes: customClaims = value.flatMap { CustomClaims(stored: $0) }
            case .validSince, .password, .passwordUpdatedAt, .createdAt, .lastLoginAt: break
            }
        }
    }
}
