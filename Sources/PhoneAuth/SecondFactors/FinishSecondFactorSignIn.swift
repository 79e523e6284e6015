public import Encodings
internal import PhoneNumbers
internal import RedisStore

/// Proof of a second factor, after the first one.
public struct FinishSecondFactorSignInRequest: Sendable, Confidential {
    /// What the user brings. In place of each code a recovery code may stand.
    public enum Evidence: Sendable {
        /// What ``Authenticator/startSecondFactorSignIn(_:in:)`` gave, and the code of the message.
        case phone(sessionInfo: String, code: String)
        /// The code that the user's app shows now.
        case totp(secondFactorID: String, code: String)
    }

    /// Stands for the first factor.
    public var pendingCredential: String
    /// What the user brings.
    public var evidence: Evidence
    /// Names this request, the same when a front end repeats it.
    public var requestID: String
    /// Who sends it; only blocking hooks are told so.
    public var client = ClientDescription()

    /// Proof of a second factor.
    public init(pendingCredential: String, _ evidence: Evidence, requestID: String) {
        self.pendingCredential = pendingCredential
        self.evidence = evidence
        self.requestID = requestID
    }
}

extension Authenticator {
    /// Signs in who has proven both factors.
    ///
    /// Each proof is good once: a message's code ends its session, a TOTP code its step of 30 seconds and all before it, a recovery code
    /// itself. Wrong TOTP and recovery codes count for the account, as many as wrong messages' codes for a number. The step that uses
    /// the proof up and records the sign-in also looks whether the account still has the factor, and the first factor's proof holds.
    /// - Throws: ``SecondFactorRefusal``. A wrong code counts as an attempt.
    public func finishSecondFactorSignIn(
        _ request: FinishSecondFactorSignInRequest,
        in project: Project
    ) throws(SecondFactorRefusal) -> IssuedTokens {
        guard project.secondFactors.state != .off else { throw .kindNotAllowed(request.evidence.kind) }
        let user = try pendingUser(request.pendingCredential, in: project)
        let hooks = hooks(for: request.client, .proven, in: project)
        let now = environment.now()
        let (evidence, proven) = try prove(request, user, askingHooks: hooks, in: project, now)
        let proof = SecondFactorProof(
            evidence,
            revocation: user.credential.revocation,
            validSince: user.credential.validSince,
            passwordUpdatedAt: user.credential.passwordUpdatedAt,
            limits: wrongSecondFactorLimits,
            requestID: request.requestID
        )
        return try issueTokens(
            TokenRequest(
                account: user.identity,
                provider: user.credential.provider,
                signedInAt: now,
                secondFactorNeed: .proof(proof),
                secondFactor: proven,
                hooks: hooks
            ),
            whereDisabled: .notAuthenticated(.accountDisabled),
            whereGone: .pendingCredentialInvalid,
            in: project,
            now
        )
    }

    /// What is to be judged when the sign-in is recorded. A message's code is judged here, because its session lies with the number.
    private func prove(
        _ request: FinishSecondFactorSignInRequest,
        _ user: PendingUser,
        askingHooks hooks: SignInHooks?,
        in project: Project,
        _ now: Instant
    ) throws(SecondFactorRefusal) -> (SecondFactorProof.Evidence, ProvenSecondFactor) {
        if let code = RecoveryCode(request.evidence.code) {
            let hashes = code.hashes(for: user.identity, keys)
            return (.recoveryCode(hashes: hashes), ProvenSecondFactor(.recoveryCode, id: nil))
        }
        try project.requireSecondFactors(request.evidence.kind)
        switch request.evidence {
        case .phone(let sessionInfo, let code):
            let scopes = user.record.secondFactors.map { factor in
                (id: factor.id, scope: SessionScope.secondFactor(factor.id, of: user.identity, keys))
            }
            do {
                var id = ""
                let answer = try readAnswer(sessionInfo, code: code, in: project) { scope in
                    guard let own = scopes.first(where: { $0.scope == scope }) else { return false }
                    id = own.id
                    return true
                }
                try verify(answer, askingHooks: hooks, requestID: request.requestID, in: project, now)
                return (
                    .phone(id: id, answer.identity), ProvenSecondFactor(.phone, id: id)
                )
            } catch {
                throw .code(error)
            }
        case .totp(let id, let code):
            guard let factor = user.factor(id), let secret = totpSecret(of: factor, in: user.identity) else {
                throw .factorUnknown
            }
            let step = secret.step(
                of: code,
                around: now,
                adjacentIntervals: project.secondFactors.adjacentIntervals ?? 0
            )
            return (.totp(id: id, step: step), ProvenSecondFactor(.totp, id: id))
        }
    }
}

extension FinishSecondFactorSignInRequest.Evidence {
    fileprivate var kind: SecondFactorRecord.Kind {
        switch self {
        case .phone: .phone
        case .totp: .totp
        }
    }

    fileprivate var code: String {
        switch self {
        case .phone(_, let code), .totp(_, let code): code
        }
    }
}
