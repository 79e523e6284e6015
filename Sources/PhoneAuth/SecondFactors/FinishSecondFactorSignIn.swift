public import Encodings
internal import PhoneNumbers
internal import RedisStore

/// A request to finish a sign-in with a second factor.
public struct FinishSecondFactorSignInRequest: Sendable, Confidential {
    /// The proof of the factor. A recovery code may replace either code.
    public enum Evidence: Sendable {
        /// The session info of ``Authenticator/startSecondFactorSignIn(_:in:)``, and the code of the message.
        case phone(sessionInfo: String, code: String)
        /// The code that the user's app shows now.
        case totp(secondFactorID: String, code: String)
    }

    /// The proof that the first factor was verified.
    public var pendingCredential: String
    /// The proof of the factor.
    public var evidence: Evidence
    /// Identifies the request; unchanged if a front end repeats the request.
    public var requestID: String
    /// The client; reported to blocking hooks only.
    public var client = ClientDescription()

    /// Creates a request.
    public init(pendingCredential: String, _ evidence: Evidence, requestID: String) {
        self.pendingCredential = pendingCredential
        self.evidence = evidence
        self.requestID = requestID
    }
}

extension Authenticator {
    /// Signs in a user who has proven both factors.
    ///
    /// Each proof is single use: a message's code ends its session, a TOTP code invalidates its 30-second step and all
    /// earlier steps, a recovery code is consumed. Brute force: wrong TOTP and recovery codes count per account, and as
    /// many are verified as wrong codes of messages for a number. In one atomic step the store consumes the proof,
    /// checks that the account still has the factor and that the first factor's proof is still valid, and records the
    /// sign-in.
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

    /// Returns the evidence that the store verifies when it records the sign-in. A message's code is verified here,
    /// because its session is stored on the number's shard.
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
