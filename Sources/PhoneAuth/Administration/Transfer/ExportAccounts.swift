public import Encodings
public import Passwords
public import RedisStore

/// A second factor as it leaves a deployment.
public struct ExportedSecondFactor: Sendable, Confidential {
    /// The factor.
    public let factor: SecondFactor
    /// What an authenticator app makes its codes of, in base 32; nil for a phone, or where none was asked for.
    public let secret: String?

    init(_ factor: SecondFactor, secret: String?) {
        self.factor = factor
        self.secret = secret
    }
}

/// An account as it leaves a deployment.
public struct ExportedAccount: Sendable, Confidential {
    /// The account.
    public let account: Account
    /// Its password's hash; nil where it has none, or none was asked for.
    public let password: StoredPassword?
    /// Its second factors, in the order of their enrolment.
    public let secondFactors: [ExportedSecondFactor]
}

/// Why accounts were not exported.
public enum ExportFailure: Error {
    case unavailable(StoreUnavailable)
    /// What an account holds does not open: the deployment's accounts were sealed under other keys.
    case keysWrong
}

extension Authenticator {
    /// The next uids of a project in their order, after `uid` or from the beginning; fewer than `limit` at the end only.
    /// - Throws: ``StoreUnavailable``.
    public func uids(after uid: String?, limit: Int, in project: Project) throws(StoreUnavailable) -> [String] {
        try store.uids(of: project.id, after: uid, limit: limit)
    }

    /// The accounts of these uids that there are, in their order, each as it is at one moment; with their passwords' hashes
    /// and the secrets of their authenticator apps where `includesCredentials`. Recovery codes are only good where they were made.
    /// - Throws: ``ExportFailure``.
    public func exportAccounts(
        uids: [String],
        includesCredentials: Bool,
        in project: Project
    ) throws(ExportFailure) -> [ExportedAccount] {
        let identities = uids.map { AccountIdentity(project: project.id, uid: $0, among: store.shards) }
        let records: [AccountRecord?]
        do { records = try store.accounts(identities) } catch { throw .unavailable(error) }
        var exported: [ExportedAccount] = []
        exported.reserveCapacity(uids.count)
        for case (let identity, let record?) in zip(identities, records) {
            let account = Account(identity, record, keys)
            // An account without the number that it has would look like one that never had any.
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
