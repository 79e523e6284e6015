public import Encodings
internal import RedisStore

/// A wish to have a code sent to a phone that is a second factor.
public struct StartSecondFactorSignInRequest: Sendable, Confidential {
    /// Stands for the first factor.
    public var pendingCredential: String
    /// The factor that the user chose.
    public var secondFactorID: String
    /// What proves the app, and who asks; the number is the factor's.
    public var message: SendVerificationCodeRequest

    /// A wish to have a code sent.
    public init(pendingCredential: String, secondFactorID: String, message: SendVerificationCodeRequest) {
        self.pendingCredential = pendingCredential
        self.secondFactorID = secondFactorID
        self.message = message
    }
}

extension Authenticator {
    /// Sends a code to a phone that is a second factor of whoever has proven the first one. Limits, regions, proof of the app and
    /// reentrancy are those of all sends; the session proves this factor of this account, and nothing else.
    /// - Throws: ``SecondFactorRefusal``; then nothing has changed.
    public func startSecondFactorSignIn(
        _ request: StartSecondFactorSignInRequest,
        in project: Project
    ) throws(SecondFactorRefusal) -> SentVerificationCode {
        try project.requireSecondFactors(.phone)
        let user = try pendingUser(request.pendingCredential, in: project)
        guard let record = user.factor(request.secondFactorID) else { throw .factorUnknown }
        guard case .phone(let number) = SecondFactor(record, of: user.identity, keys).kind else {
            throw .factorNotTexted
        }
        do {
            return try sendVerificationCode(
                to: try parse(number),
                request.message,
                for: .secondFactor(record.id, of: user.identity, keys),
                in: project
            )
        } catch {
            throw .codeNotSent(error)
        }
    }
}
