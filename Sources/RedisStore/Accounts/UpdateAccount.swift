internal import Redis

/// A field of an account's hash that can be changed by itself.
public enum AccountField: String, Sendable {
    /// The name that the user gave.
    case displayName = "display-name"
    /// The picture that the user gave.
    case photoURL = "photo-url"
    /// The operator's own claims, a JSON object.
    case customAttributes = "custom-attributes"
    /// "1" where it may not sign in.
    case isDisabled = "disabled"
    /// Tokens issued before are revoked; seconds since the Unix epoch.
    case validSince = "valid-since"
    /// "1" where somebody has shown that the e-mail address is the user's.
    case isEmailVerified = "email-verified"
    /// The password's hash with its parameters, sealed; it gets a value by ``AccountUpdate/sealedPassword`` only.
    case password
    /// When the password was last set; milliseconds since the Unix epoch.
    case passwordUpdatedAt = "password-updated"
    /// When it was made; milliseconds since the Unix epoch.
    case createdAt = "created"
    /// When it last signed in; milliseconds since the Unix epoch.
    case lastLoginAt = "last-login"
}

/// Changes to an account.
public struct AccountUpdate: Sendable {
    /// New values; nil takes the field away. Fields that are not named stay.
    public var fields: [AccountField: String?]
    /// Whether the account gives its number up.
    public var removesNumber: Bool
    /// Whether the account gives its e-mail address up.
    public var removesEmail: Bool
    /// A new password's hash, sealed; nil leaves the one that is there.
    public var sealedPassword: [UInt8]?
    /// Second factors that it gets, or that change.
    public var secondFactors: [SecondFactorRecord] = []
    /// The ids of second factors that it loses.
    public var removedSecondFactors: [String] = []
    /// The hashes of new recovery codes, which take the place of those that it has; nil leaves these.
    public var recoveryCodes: [String]?
    /// Identifiers that the account is about to get, under claims that are yet to be put to them.
    public var proposed: [SignInRecord.Identifier] = []

    /// Changes to an account; none, where nothing is given.
    public init(
        fields: [AccountField: String?] = [:],
        removesNumber: Bool = false,
        removesEmail: Bool = false,
        sealedPassword: [UInt8]? = nil
    ) {
        self.fields = fields
        self.removesNumber = removesNumber
        self.removesEmail = removesEmail
        self.sealedPassword = sealedPassword
    }

    /// What the script did.
    public enum Outcome: Sendable {
        /// The account as it is now, and the identifiers that are to let go of it.
        case updated(AccountRecord, former: [HeldIdentifier])
        case noAccount
        /// The ID token was revoked; nothing was changed.
        case tokenRevoked
        /// The ID token's sign-in is too old to link anything; nothing was changed.
        case signInTooOld
        /// What is needed of second factors is not there; nothing was changed.
        case secondFactorRefused(SecondFactorFault)
    }

    /// How the scripts get them.
    var arguments: [Argument] {
        var set: [Argument] = []
        var removed: [Argument] = []
        // In one order, so that events come in one.
        for (field, value) in fields.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            if let value {
                set += [.text(field.rawValue), .text(value)]
            } else {
                removed.append(.text(field.rawValue))
            }
        }
        if let sealedPassword { set += [.text(AccountField.password.rawValue), .bytes(sealedPassword)] }
        for factor in secondFactors {
            set += [.text(factor.field), .bytes(factor.value)]
            if let step = factor.enrolledStep { set += [.text(factor.stepField), .integer(step)] }
        }
        removed += removedSecondFactors.map { .text(SecondFactorRecord.field($0)) }
        if let recoveryCodes { set += ["recovery-codes", .text(recoveryCodes.map { " " + $0 }.joined())] }
        for identifier in proposed {
            let pending = "pending-" + identifier.kind.rawValue
            set += [.text(pending), .bytes(identifier.sealed)]
            set += [.text(pending + "-claim"), .text(identifier.claim.id)]
        }
        if removesNumber { removed.append(.text(IdentifierKind.phone.rawValue)) }
        if removesEmail { removed.append(.text(IdentifierKind.email.rawValue)) }
        return [.integer(Int64(set.count / 2))] + set + removed
    }
}

extension Store {
    /// Changes an account in one atomic step, on behalf of an ID token if there is one.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func updateAccount(
        _ account: AccountIdentity,
        _ update: AccountUpdate,
        onBehalfOf token: PresentedToken? = nil,
        needing need: SecondFactorNeed = .nothing,
        audit: AuditContext?
    ) throws(StoreUnavailable) -> AccountUpdate.Outcome {
        let call = ScriptCall(
            keys: [KeyNames.user(account)],
            arguments: [.text(account.uid), .bytes(need.argument)] + update.arguments,
            onBehalfOf: token,
            of: account,
            audit: audit
        )
        let reply = try run(Scripts.updateAccount, isConfirmed: true, call)
        switch try reply.outcome() {
        case "no-account":
            return .noAccount
        case "revoked":
            return .tokenRevoked
        case "too-old":
            return .signInTooOld
        case "updated":
            guard let record = AccountRecord(fields: reply.fields(from: 2)) else { throw .unexpectedReply }
            return .updated(record, former: try HeldIdentifier.list(try reply.reply(at: 1), uid: account.uid))
        default:
            return .secondFactorRefused(try SecondFactorFault(reply))
        }
    }
}
