internal import Encodings
internal import RedisScripts

/// Why the enrollment of a second factor was not reverted.
public enum RevertSecondFactorRefusal: OperationRefusal {
    /// The code was not made by this deployment for this project, or was used: the account or its factor no longer
    /// exists.
    case codeInvalid
    /// The code is older than ``SecondFactorRevertCode/lifetime``.
    case codeExpired
    case failed(OperationFailure)
}

extension OperationContext {
    /// Returns the account and the factor that a hook's revert code would remove
    /// (``BlockingHookEvent/beforeSecondFactorEnrollment``).
    /// - Throws: ``RevertSecondFactorRefusal``.
    public func checkSecondFactorRevert(
        _ code: String
    ) throws(RevertSecondFactorRefusal) -> (account: Account, factor: SecondFactor) {
        let (code, identity, account) = try revert(code)
        guard let account else { throw .codeInvalid }
        let described = Account(identity, account, keys)
        guard let factor = described.secondFactors.first(where: { $0.id == code.factorID }) else { throw .codeInvalid }
        return (described, factor)
    }

    /// Reverts the enrollment of a second factor with the code that a hook received. It works without a session, for a
    /// disabled account, and if the project has turned second factors off.
    ///
    /// An attacker who added the factor had a session and may know the password. So all tokens are revoked. Recovery
    /// codes are removed, too, because that session could create them; the other factors stay. Idempotent: a request
    /// repeated under its id gets the same response.
    /// - Throws: ``RevertSecondFactorRefusal``; then nothing has changed.
    public func revertSecondFactor(_ code: String) throws(RevertSecondFactorRefusal) -> Account {
        let (code, identity, record) = try revert(code)
        guard let record else { throw .codeInvalid }
        let known = identifiers(of: Account(identity, record, keys), record)
        let reverted = try RevertSecondFactorRefusal.wrapping(
            store.revertSecondFactor(
                code.factorID,
                of: identity,
                // `+ 1` also revokes tokens of this very second: none are issued here.
                validSince: now.seconds + 1,
                requestID: requestID,
                audit: audit(about: known)
            )
        )
        guard let reverted else { throw .codeInvalid }
        return Account(identity, reverted, keys)
    }

    private func revert(
        _ text: String
    ) throws(RevertSecondFactorRefusal) -> (SecondFactorRevertCode, AccountIdentity, AccountRecord?) {
        guard let code = SecondFactorRevertCode(text, in: project, keys) else { throw .codeInvalid }
        guard now < code.expiresAt else { throw .codeExpired }
        let identity = AccountIdentity(project: project.id, uid: code.uid, among: store.shards)
        return (code, identity, try RevertSecondFactorRefusal.wrapping(store.account(identity)))
    }
}
