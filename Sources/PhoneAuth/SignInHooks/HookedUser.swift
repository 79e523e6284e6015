internal import Encodings

/// A user as reported to hooks: the account as it will be after the sign-in. A second factor that is being enrolled is
/// not included.
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
    /// nil if the user has never signed in, because an operator created the account.
    let lastLoginAt: Instant?
    let validSince: Int64

    /// Creates the description of an existing account.
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

    /// Creates the description of an account that is about to be created.
    init(uid: String, at now: Instant) {
        self.uid = uid
        createdAt = now
        lastLoginAt = now
        validSince = now.seconds
    }

    /// Adds the identifier that led to the account, or that the account is about to take.
    mutating func hold(_ kind: IdentifierKind, _ text: String) {
        switch kind {
        case .phone: phoneNumber = text
        case .email:
            // The verification of the former address does not apply to the new one.
            if email != text { isEmailVerified = false }
            email = text
        }
    }

    /// Applies the changes that the sign-in itself makes.
    mutating func take(_ update: AccountUpdate) {
        if update.sealedPassword != nil { hasPassword = true }
        take(update.fields)
    }

    /// Applies a hook's changes.
    mutating func take(_ changes: HookChanges) { take(changes.fields) }

    private mutating func take(_ fields: [AccountField: String?]) {
        for (field, value) in fields {
            switch field {
            case .displayName: displayName = value
            case .photoURL: photoURL = value
            case .isDisabled: isDisabled = value == "1"
            case .isEmailVerified: isEmailVerified = value == "1"
            case .customAttributes: customClaims = value.flatMap { CustomClaims(stored: $0) }
            case .signsInByLink, .emailRecoveries, .validSince, .password, .passwordUpdatedAt, .createdAt, .lastLoginAt:
                break
            }
        }
    }
}

/// An enrollment as reported to a hook.
struct HookedEnrollment: Sendable, Confidential {
    let factor: SecondFactor
    /// The code with which the user can revert the enrollment, see ``SecondFactorRevertCode``.
    let revertCode: String
}

/// A second factor that an account is about to get.
struct SecondFactorEnrollment {
    let factor: SecondFactor
    /// The second factor with which the enrolling session began.
    let sessionFactor: ProvenSecondFactor?
}
