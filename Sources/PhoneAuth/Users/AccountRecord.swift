internal import Encodings
internal import RedisScripts

/// An account as stored in its hash. Times are milliseconds since the Unix epoch unless stated otherwise.
public struct AccountRecord: Sendable {
    /// The number, sealed.
    let sealedNumber: [UInt8]?
    /// The id of the claim by which the account holds the number.
    let numberClaimID: String?
    /// When the number was last proven; nil if it never was.
    let numberProvenAt: Int64?
    /// The e-mail address, sealed.
    let sealedEmail: [UInt8]?
    /// The id of the claim by which the account holds the address.
    let emailClaimID: String?
    /// Whether the e-mail address has been verified.
    let isEmailVerified: Bool
    /// Whether the user had verified an address that the account no longer has.
    private let hadVerifiedEmail: Bool
    /// When former addresses were restored.
    let recoveries: EmailRecoveries
    /// Whether the user has signed in with a link to the e-mail address.
    let signsInByLink: Bool
    /// The password's hash with its parameters, sealed.
    let sealedPassword: [UInt8]?
    /// When the password was last set.
    let passwordUpdatedAt: Int64?
    /// The user's display name.
    let displayName: String?
    /// The URL of the user's picture.
    let photoURL: String?
    /// The operator's custom claims, a JSON object.
    let customAttributes: String?
    /// Whether the account is disabled.
    let isDisabled: Bool
    /// When the account was created.
    let createdAt: Int64
    /// When the user last signed in; nil if never.
    let lastLoginAt: Int64?
    /// When the account last received an ID token; nil if never.
    let lastRefreshAt: Int64?
    /// Tokens issued before this time (seconds) are revoked; nil if none are.
    let validSince: Int64?
    /// The revocation counter, from a random start; nil if the account has had no tokens.
    let revocation: Int64?
    /// The request that last revoked the account's tokens; nil if it had no id, so that the front end cannot retry it.
    let revokingRequestID: String?
    /// The second factors in the order of their enrollment.
    let secondFactors: [SecondFactorRecord]
    /// The number of unused recovery codes.
    let recoveryCodes: Int
    /// Whether the account is about to take an identifier, or was when a worker died.
    let awaitsIdentifier: Bool
    private let maker: String?

    /// Reads the fields of a hash. Returns nil if there is no account.
    init?(fields: HashFields) {
        guard let createdAt = fields.integer(AccountField.createdAt.rawValue) else { return nil }
        self.createdAt = createdAt
        sealedNumber = fields["phone"]
        numberProvenAt = fields.integer("phone-proven")
        sealedEmail = fields["email"]
        numberClaimID = fields.text("phone-claim")
        emailClaimID = fields.text("email-claim")
        isEmailVerified = fields.text(AccountField.isEmailVerified.rawValue) == "1"
        hadVerifiedEmail = fields.text("email-verified-before") != nil
        recoveries = EmailRecoveries(stored: fields.text(AccountField.emailRecoveries.rawValue) ?? "")
        signsInByLink = fields.text(AccountField.signsInByLink.rawValue) == "1"
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
        maker = fields.text("made-by")
    }

    /// Returns the id of the claim by which the account holds an identifier; nil if it holds none of this kind.
    func claimID(of kind: IdentifierKind) -> String? {
        switch kind {
        case .phone: numberClaimID
        case .email: emailClaimID
        }
    }

    /// Returns whether the creation with this request id made the account, and no one has signed in to it or changed it
    /// since. This is no longer known of a completed import.
    func isMade(byCreation requestID: String) -> Bool { maker == Self.maker(requestID) }
}

extension RecycledNumberRule {
    /// Returns whether a sign-in by the account's number takes the number from the account, as `recycled-numbers.lua`
    /// decides.
    func takesNumber(from record: AccountRecord) -> Bool {
        answer == .fresh && record.sealedEmail != nil && record.sealedPassword != nil
            && record.numberProvenAt ?? record.createdAt < provenBefore
    }
}

/// A field of an account's hash that can be changed individually.
public enum AccountField: String, Sendable {
    /// The user's display name.
    case displayName = "display-name"
    /// The URL of the user's picture.
    case photoURL = "photo-url"
    /// The operator's custom claims, a JSON object.
    case customAttributes = "custom-attributes"
    /// "1" if the account is disabled.
    case isDisabled = "disabled"
    /// Tokens issued before this time are revoked; seconds since the Unix epoch.
    case validSince = "valid-since"
    /// "1" if the e-mail address has been verified.
    case isEmailVerified = "email-verified"
    /// The restorations of former e-mail addresses: ``EmailRecoveries``.
    case emailRecoveries = "email-recoveries"
    /// "1" if the user has signed in with a link to the e-mail address.
    case signsInByLink = "email-link"
    /// The password's hash with its parameters, sealed. Set only through ``AccountUpdate/sealedPassword``.
    case password
    /// When the password was last set; milliseconds since the Unix epoch.
    case passwordUpdatedAt = "password-updated"
    /// When the account was created; milliseconds since the Unix epoch.
    case createdAt = "created"
    /// When the user last signed in; milliseconds since the Unix epoch.
    case lastLoginAt = "last-login"
}

extension AccountRecord {
    /// Whether whoever reads the mail of the account's address may enter the account: its user has verified the
    /// address, or has proven nothing else that the account has or had, so that it is nobody else's.
    var isOpenToReaderOfMail: Bool {
        isEmailVerified || sealedNumber == nil && secondFactors.isEmpty && !hadVerifiedEmail
    }

    /// Returns the identity of a request as the maker of an account. The prefix distinguishes it from a sign-in's.
    static func maker(_ requestID: String) -> String { "create/" + requestID }
}

/// The restorations of an account's former e-mail addresses.
struct EmailRecoveries {
    /// For how long the code of a notice is valid.
    static let noticeLifetime: Duration = .seconds(7 * 86_400)

    /// When the notice of each was sent, and when its code was used; milliseconds since the Unix epoch.
    private var times: [(sent: Int64, used: Int64)]

    /// The times, for storage.
    var text: String { times.map { "\($0.sent) \($0.used)" }.joined(separator: " ") }

    init(stored: String) {
        let numbers = stored.split(separator: " ").compactMap { Int64($0) }
        times = stride(from: 1, to: numbers.count, by: 2).map { (numbers[$0 - 1], numbers[$0]) }
    }

    /// Adds a restoration. It covers those by notices that were sent later.
    mutating func add(noticeSentAt sent: Int64, usedAt used: Int64) {
        let oldest = used - Self.noticeLifetime.milliseconds
        times.removeAll { $0.sent >= sent || $0.used < oldest }
        times.append((sent, used))
    }

    /// Returns whether a notice that was sent at this time (milliseconds since the Unix epoch) may still restore an
    /// address. The changes that a restoration has undone cannot be restored: a thief may have made them.
    func allows(noticeSentAt time: Int64) -> Bool { times.allSatisfy { time < $0.sent || time > $0.used } }
}
