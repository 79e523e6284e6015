internal import RedisStore

/// Why a second factor was not taken back.
public enum RevertSecondFactorRefusal: Error {
    /// It is no code of ours for this project, or it was used: the account, or its factor, is there no more.
    case codeInvalid
    /// It is older than ``Policy/secondFactorRevertLifetime``.
    case codeExpired
    case failed(OperationFailure)
}

extension Authenticator {
    /// What a code would take back that a hook was given (``BlockingHookEvent/beforeSecondFactorEnrollment``).
    /// - Throws: ``RevertSecondFactorRefusal``.
    public func checkSecondFactorRevert(
        _ code: String,
        in project: Project
    ) throws(RevertSecondFactorRefusal) -> (account: Account, factor: SecondFactor) {
        let (code, identity, account) = try revert(code, in: project)
        guard let account else { throw .codeInvalid }
        let described = Account(identity, account, keys)
        guard let factor = described.secondFactors.first(where: { $0.id == code.factorID }) else { throw .codeInvalid }
        return (described, factor)
    }

    /// Takes back that a second factor was added, by the code that a hook was given: its user may do so who has no session, whose
    /// account is disabled, and where the project has no second factors any more.
    ///
    /// Whoever added the factor had a session and may know the password. So all tokens end, and recovery codes go, too, because that
    /// session could make some; the other factors stay. A request that is repeated under its id is told the same again.
    /// - Throws: ``RevertSecondFactorRefusal``; then nothing has changed.
    public func revertSecondFactor(
        _ code: String,
        requestID: String,
        in project: Project
    ) throws(RevertSecondFactorRefusal) -> Account {
        let (code, identity, record) = try revert(code, in: project)
        guard let record else { throw .codeInvalid }
        let known = identifiers(of: Account(identity, record, keys), record, in: project)
        let reverted: AccountRecord?
        do {
            reverted = try store.revertSecondFactor(
                code.factorID,
                of: identity,
                // Tokens of this very second end, too: nobody gets one here.
                validSince: environment.now().seconds + 1,
                requestID: requestID,
                audit: audit(about: known, in: project)
            )
        } catch {
            throw .failed(.unavailable(error))
        }
        guard let reverted else { throw .codeInvalid }
        return Account(identity, reverted, keys)
    }

    private func revert(
        _ text: String,
        in project: Project
    ) throws(RevertSecondFactorRefusal) -> (SecondFactorRevertCode, AccountIdentity, AccountRecord?) {
        guard let code = SecondFactorRevertCode(text, in: project, keys) else { throw .codeInvalid }
        guard environment.now() < code.expiresAt else { throw .codeExpired }
        let identity = AccountIdentity(project: project.id, uid: code.uid, among: store.shards)
        do { return (code, identity, try store.account(identity)) } catch { throw .failed(.unavailable(error)) }
    }
}
