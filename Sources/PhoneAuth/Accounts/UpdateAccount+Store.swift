internal import Redis
public import RedisScripts

/// Changes to an account.
public struct AccountUpdate: Sendable {
    /// New values; nil removes the field. Other fields are unchanged.
    public var fields: [AccountField: String?]
    /// Whether to remove the account's number.
    public var removesNumber: Bool
    /// Whether to remove the account's e-mail address.
    public var removesEmail: Bool
    /// A new password's hash, sealed; nil leaves the password unchanged.
    public var sealedPassword: [UInt8]?
    /// Second factors to add or change.
    public var secondFactors: [SecondFactorRecord] = []
    /// The ids of second factors to remove.
    public var removedSecondFactors: [String] = []
    /// The hashes of new recovery codes, which replace all existing ones; nil leaves them unchanged.
    public var recoveryCodes: [String]?
    /// Identifiers that the account is about to take, under claims that are not yet stored with the identifiers.
    public var proposed: [NamedIdentifier] = []

    /// Describes changes to an account; by default none.
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

    /// The result of the script.
    public enum Outcome: Sendable {
        /// The changed account, and the identifiers to release.
        case updated(AccountRecord, former: [HeldIdentifier])
        case noAccount
        /// The ID token was revoked; nothing was changed.
        case tokenRevoked
        /// The ID token's sign-in is too old to link anything; nothing was changed.
        case signInTooOld
        /// The account no longer has the required e-mail address; nothing was changed.
        case emailChanged
        /// The second-factor need is not met; nothing was changed.
        case secondFactorRefused(SecondFactorFault)
    }

    /// The changes in the form that the scripts take.
    var arguments: [Argument] {
        var set: [Argument] = []
        var removed: [Argument] = []
        // Sorted, so that events have a fixed order.
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
    /// Changes an account in one atomic step, on behalf of an ID token if there is one, or of whoever has proven the
    /// e-mail address with this claim.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func updateAccount(
        _ account: AccountIdentity,
        _ update: AccountUpdate,
        onBehalfOf token: PresentedToken? = nil,
        provingEmailOf proven: AccountRecord? = nil,
        needing need: SecondFactorNeed = .nothing,
        audit: AuditContext?
    ) throws(StoreUnavailable) -> AccountUpdate.Outcome {
        let call = ScriptCall(
            .updateAccount,
            keys: ["accountKey": KeyNames.user(account)],
            NamedValues(
                ["uid": .text(account.uid), "need": .bytes(need.argument), "ways": .text(proven?.waysToSignIn ?? "")],
                list: "changes",
                update.arguments
            ),
            onBehalfOf: token,
            of: account,
            audit: audit
        )
        let reply = try run(call, isConfirmed: true)
        switch try reply.outcome() {
        case "no-account":
            return .noAccount
        case "revoked":
            return .tokenRevoked
        case "too-old":
            return .signInTooOld
        case "changed":
            return .emailChanged
        case "updated":
            guard let record = AccountRecord(fields: reply.fields(from: 2)) else { throw .unexpectedReply }
            return .updated(record, former: try HeldIdentifier.list(try reply.reply(at: 1), uid: account.uid))
        default:
            return .secondFactorRefused(try SecondFactorFault(reply))
        }
    }
}
