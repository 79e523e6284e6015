public import Encodings
internal import RedisScripts

/// A request to send a verification code to a phone that is a second factor.
public struct StartSecondFactorSignInRequest: Sendable, Confidential {
    /// The proof that the first factor was verified.
    public var pendingCredential: String
    /// The factor that the user chose.
    public var secondFactorID: String
    /// The app credential and the client; the factor supplies the number.
    public var message: SendVerificationCodeRequest

    /// Creates a request.
    public init(pendingCredential: String, secondFactorID: String, message: SendVerificationCodeRequest) {
        self.pendingCredential = pendingCredential
        self.secondFactorID = secondFactorID
        self.message = message
    }
}

extension OperationContext {
    /// Sends a verification code to a user's second factor after the first factor is proven. Rate limits, the region
    /// policy, app verification and reentrancy are those of all sends. The session proves only this factor of this
    /// account.
    /// - Throws: ``SecondFactorRefusal``; then nothing has changed.
    public func startSecondFactorSignIn(
        _ request: StartSecondFactorSignInRequest
    ) throws(SecondFactorRefusal) -> SentVerificationCode {
        try project.requireSecondFactors(.sms)
        let user = try pendingUser(request.pendingCredential)
        guard let record = user.factor(request.secondFactorID) else { throw .factorUnknown }
        guard case .phone(let number) = SecondFactor(record, of: user.identity, keys).kind else {
            throw .factorNotTexted
        }
        do {
            return try sendVerificationCode(
                to: try parse(number),
                request.message,
                for: .secondFactor(record.id, of: user.identity, keys),
                mayBeTestNumber: record.isOfTestNumber
            )
        } catch {
            throw .codeNotSent(error)
        }
    }

    /// Returns the account whose first factor a credential proves.
    func pendingUser(_ text: String) throws(SecondFactorRefusal) -> PendingUser {
        guard let credential = PendingCredential(text, in: project, keys, at: now) else {
            throw .pendingCredentialInvalid
        }
        let identity = AccountIdentity(project: project.id, uid: credential.uid, among: store.shards)
        let record = try SecondFactorRefusal.wrapping(store.account(identity))
        guard let record, credential.isValid(for: record) else { throw .pendingCredentialInvalid }
        // No user enumeration: the first factor is proven, so a sign-in without second factors would reveal the same.
        guard !record.isDisabled else { throw .notAuthenticated(.accountDisabled) }
        return PendingUser(credential: credential, identity: identity, record: record)
    }
}
