/// An account as it stands in its hash. Times are milliseconds since the Unix epoch but where said otherwise.
public struct AccountRecord: Sendable {
    /// The number, sealed.
    public let sealedNumber: [UInt8]?
    /// The id of the claim by which it holds the number.
    public let numberClaimID: String?
    /// When the number was last proven; nil if it never was.
    public let numberProvenAt: Int64?
    /// The e-mail address, sealed.
    public let sealedEmail: [UInt8]?
    /// The id of the claim by which it holds the address.
    public let emailClaimID: String?
    /// Whether somebody has shown that the address is the user's.
    public let isEmailVerified: Bool
    /// The password's hash with its parameters, sealed.
    public let sealedPassword: [UInt8]?
    /// When the password was last set.
    public let passwordUpdatedAt: Int64?
    /// The name that the user gave.
    public let displayName: String?
    /// The picture that the user gave.
    public let photoURL: String?
    /// The operator's own claims, a JSON object.
    public let customAttributes: String?
    /// Whether it may not sign in.
    public let isDisabled: Bool
    /// When it was made.
    public let createdAt: Int64
    /// When it last signed in; nil where it never did.
    public let lastLoginAt: Int64?
    /// When it last got an ID token; nil where it never did.
    public let lastRefreshAt: Int64?
    /// Tokens issued before are revoked; seconds. nil where none ever were.
    public let validSince: Int64?
    /// How often its tokens were revoked, from a random start; nil if they never were since the version before.
    public let revocation: Int64?
    /// The request that last revoked its tokens; nil if the front end does not repeat that.
    public let revokingRequestID: String?
    /// In the order of their enrolment.
    public let secondFactors: [SecondFactorRecord]
    /// How many recovery codes were not used yet.
    public let recoveryCodes: Int
    /// Whether it is about to get an identifier, or was when a worker died over that.
    public let awaitsIdentifier: Bool

    /// Reads a hash's fields; nil where there is no account.
    init?(fields: HashFields) {
        guard let createdAt = fields.integer(AccountField.createdAt.rawValue) else { return nil }
        self.createdAt = createdAt
        sealedNumber = fields["phone"]
        numberProvenAt = fields.integer("phone-proven")
        sealedEmail = fields["email"]
        numberClaimID = fields.text("phone-claim")
        emailClaimID = fields.text("email-claim")
        isEmailVerified = fields.text(AccountField.isEmailVerified.rawValue) == "1"
        sealedPassword = fields[AccountField.password.rawValue]
        passwordUpdatedAt = fields.integer(AccountField.passwordUpdatedAt.rawValue)
        displayName = fields.text(AccountField.displayName.rawValue)
        photoURL = fields.text(AccountField.photoURL.rawValue)
        customAttributes = fields.text(AccountField.customAttributes.rawValue)
        isDisabled = fields.text(AccountField.isDisabled.rawValue) == "1"
        lastLoginAt = fields.integer(AccountField.lastLoginAt.rawValue)
        lastRefreshAt = fields.integer("last-refresh")
        validSince = fields.integer(AccountField.validSince.rawValue)
        revocation = fields.integer("revocation")
        revokingRequestID = fields.text("revoked-by")
        secondFactors = fields["second-factors"] == nil ? [] : SecondFactorRecord.all(in: fields)
        recoveryCodes = fields.text("recovery-codes")?.split(separator: " ").count ?? 0
        awaitsIdentifier = fields["pending-phone-claim"] != nil || fields["pending-email-claim"] != nil
    }
}
