public import Encodings
public import Passwords
public import RedisScripts

/// An exported second factor.
public struct ExportedSecondFactor: Sendable, Confidential {
    /// The factor.
    public let factor: SecondFactor
    /// The TOTP secret in base32; nil for a phone, or if credentials were not requested.
    public let secret: String?

    init(_ factor: SecondFactor, secret: String?) {
        self.factor = factor
        self.secret = secret
    }
}

/// An exported account.
public struct ExportedAccount: Sendable, Confidential {
    /// The account.
    public let account: Account
    /// The password hash; nil if there is none, or if credentials were not requested.
    public let password: StoredPassword?
    /// Its second factors, in the order of their enrollment.
    public let secondFactors: [ExportedSecondFactor]
}

/// Why accounts were not exported.
public enum ExportFailure: StoreRefusal {
    case unavailable(StoreUnavailable)
    /// The account's sealed fields cannot be opened, because they were sealed under other keys.
    case keysWrong
}

extension OperationContext {
    /// Returns the next uids of a project in their order, after `uid` or from the beginning; fewer than `limit` only at
    /// the end.
    /// - Throws: ``StoreUnavailable``.
    public func uids(after uid: String?, limit: Int) throws(StoreUnavailable) -> [String] {
        try store.uids(of: project.id, after: uid, limit: limit)
    }

    /// Exports the existing accounts with these uids, in their order, each as a consistent snapshot.
    /// `includesCredentials` adds the password hashes and TOTP secrets. Recovery codes are not exported: they are valid
    /// only in the deployment that created them.
    /// - Throws: ``ExportFailure``.
    public func exportAccounts(uids: [String], includesCredentials: Bool) throws(ExportFailure) -> [ExportedAccount] {
        let identities = uids.map { AccountIdentity(project: project.id, uid: $0, among: store.shards) }
        let records = try ExportFailure.wrapping(store.accounts(identities))
        var exported: [ExportedAccount] = []
        exported.reserveCapacity(uids.count)
        for case (let identity, let record?) in zip(identities, records) {
            let account = Account(identity, record, keys)
            // An account whose number cannot be opened would look like an account without a number.
            guard (record.sealedNumber == nil) == (account.phoneNumber == nil),
                (record.sealedEmail == nil) == (account.email == nil)
            else { throw .keysWrong }
            var password: StoredPassword?
            if includesCredentials, let sealed = record.sealedPassword {
                guard let stored = storedPassword(sealed, of: identity) else { throw .keysWrong }
                password = stored
            }
            var secondFactors: [ExportedSecondFactor] = []
            for (factor, record) in zip(account.secondFactors, record.secondFactors) {
                secondFactors.append(
                    try export(factor, record, of: identity, includesSecret: includesCredentials)
                )
            }
            exported.append(ExportedAccount(account: account, password: password, secondFactors: secondFactors))
        }
        return exported
    }

    private func export(
        _ factor: SecondFactor,
        _ record: SecondFactorRecord,
        of account: AccountIdentity,
        includesSecret: Bool
    ) throws(ExportFailure) -> ExportedSecondFactor {
        switch factor.kind {
        case .phone(let number):
            guard !number.isEmpty else { throw .keysWrong }
            return ExportedSecondFactor(factor, secret: nil)
        case .totp:
            guard let secret = totpSecret(of: record, in: account) else { throw .keysWrong }
            return ExportedSecondFactor(factor, secret: includesSecret ? secret.base32 : nil)
        }
    }
}
