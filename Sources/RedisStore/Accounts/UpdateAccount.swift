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
    /// When it was made; milliseconds since the Unix epoch.
    case createdAt = "created"
    /// When it last signed in; milliseconds since the Unix epoch.
    case lastLoginAt = "last-login"
}

/// What the script `update-account.lua` needs.
public struct AccountUpdate: Sendable {
    /// New values; nil takes the field away. Fields that are not named stay.
    public var fields: [AccountField: String?]
    /// Whether the account gives its number up.
    public var removesNumber: Bool

    /// Changes to an account; none, where nothing is given.
    public init(fields: [AccountField: String?] = [:], removesNumber: Bool = false) {
        self.fields = fields
        self.removesNumber = removesNumber
    }

    /// What the script did.
    public enum Outcome: Sendable {
        /// The account as it is now, and the number that is to let go of it.
        case updated(AccountRecord, former: HeldNumber?)
        case noAccount
    }
}

extension Store {
    /// Changes an account in one atomic step.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func updateAccount(
        _ account: AccountIdentity,
        _ update: AccountUpdate
    ) throws(StoreUnavailable) -> AccountUpdate.Outcome {
        var set: [Argument] = []
        var removed: [Argument] = []
        for (field, value) in update.fields {
            if let value {
                set += [.text(field.rawValue), .text(value)]
            } else {
                removed.append(.text(field.rawValue))
            }
        }
        if update.removesNumber { removed.append("phone") }
        let reply = try run(
            Scripts.updateAccount,
            keys: [KeyNames.user(account)],
            [.integer(Int64(set.count / 2))] + set + removed
        )
        switch try reply.outcome() {
        case "no-account":
            return .noAccount
        case "updated":
            guard let record = AccountRecord(fields: reply.fields(from: 3)) else { throw .unexpectedReply }
            return .updated(record, former: try HeldNumber(reply, at: 1, uid: account.uid))
        default:
            throw .unexpectedReply
        }
    }
}
