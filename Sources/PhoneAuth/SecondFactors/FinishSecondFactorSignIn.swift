public import Encodings

/// A request to finish a sign-in with a second factor.
public struct FinishSecondFactorSignInRequest: Sendable, Confidential {
    /// The proof of the factor. A recovery code may replace either code.
    public enum Evidence: Sendable {
        /// The session info of ``OperationContext/startSecondFactorSignIn(_:)``, and the code of the message.
        case phone(sessionInfo: String, code: String)
        /// The code that the user's app shows now.
        case totp(secondFactorID: String, code: String)
    }

    /// The proof that the first factor was verified.
    public var pendingCredential: String
    /// The proof of the factor.
    public var evidence: Evidence
    /// The client; reported to blocking hooks only.
    public var client = ClientDescription()

    /// Creates a request.
    public init(pendingCredential: String, _ evidence: Evidence) {
        self.pendingCredential = pendingCredential
        self.evidence = evidence
    }
}

extension OperationContext {
    /// Signs in a user who has proven both factors.
    ///
    /// Each proof is single use: a message's code ends its session, a TOTP code invalidates its 30-second step and all
    /// earlier steps, a recovery code is consumed. Brute force: wrong TOTP and recovery codes count per account, with
    /// the same maximum as wrong message codes for a number. In one atomic step the store consumes the proof, checks
    /// that the account still has the factor and that the first factor's proof is still valid, and records the sign-in.
    /// - Throws: ``SecondFactorRefusal``. A wrong code counts as an attempt.
    public func finishSecondFactorSignIn(
        _ request: FinishSecondFactorSignInRequest
    ) throws(SecondFactorRefusal) -> IssuedTokens {
        guard project.secondFactors.state != .off else { throw .kindNotAllowed(request.evidence.kind) }
        let user = try pendingUser(request.pendingCredential)
        let hooks = hooks(for: request.client, .proven)
        let (evidence, proven) = try prove(request, user, callingHooks: hooks)
        let proof = SecondFactorProof(
            evidence,
            revocation: user.credential.revocation,
            validSince: user.credential.validSince,
            passwordUpdatedAt: user.credential.passwordUpdatedAt,
            limits: wrongSecondFactorLimits,
            requestID: repeatID
        )
        let outcome = try SecondFactorRefusal.wrapping(
            failureOf: issueTokens(
                TokenRequest(
                    account: user.identity,
                    provider: user.credential.provider,
                    signedInAt: now,
                    secondFactorNeed: .proof(proof),
                    secondFactor: proven,
                    hooks: hooks
                )
            )
        )
        switch outcome {
        case .issued(let tokens): return tokens
        case .hindered(.secondFactor(.refused(let fault))): throw SecondFactorRefusal(fault)
        case .hindered(.disabled): throw .notAuthenticated(.accountDisabled)
        case .hindered(.token(let fault)): throw .notAuthenticated(IDTokenRefusal(.token(fault)))
        case .hindered: throw .pendingCredentialInvalid
        }
    }

    /// Returns the evidence that the store verifies when it records the sign-in. A message's code is verified here,
    /// because its session is stored in the project's slot.
    private func prove(
        _ request: FinishSecondFactorSignInRequest,
        _ user: PendingUser,
        callingHooks hooks: SignInHooks?
    ) throws(SecondFactorRefusal) -> (SecondFactorProof.Evidence, ProvenSecondFactor) {
        if let code = RecoveryCode(request.evidence.code) {
            let hashes = code.hashes(for: user.identity, keys)
            return (.recoveryCode(hashes: hashes), ProvenSecondFactor(.recoveryCode, id: nil))
        }
        try project.requireSecondFactors(request.evidence.kind)
        switch request.evidence {
        case .phone(let sessionInfo, let code):
            let scopes = user.record.secondFactors.map { factor in
                (factor: factor, scope: VerificationScope.secondFactor(factor.id, of: user.identity, keys))
            }
            do throws(VerificationCodeRefusal) {
                var factor: SecondFactorRecord?
                let answer = try readAnswer(sessionInfo, code: code) { scope in
                    guard let own = scopes.first(where: { $0.scope == scope }) else { return false }
                    factor = own.factor
                    return true
                }
                let isTestCode = answer.ticket.codeSource == .testNumber
                guard let factor, factor.isOfTestNumber || !isTestCode else {
                    throw .sessionInfoUnknown
                }
                try verify(answer, callingHooks: hooks)
                return (
                    .phone(id: factor.id, answer.identity, isTestCode: isTestCode),
                    ProvenSecondFactor(.phone, id: factor.id)
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

    /// The limits on wrong TOTP and recovery codes of an account (brute force).
    private var wrongSecondFactorLimits: WrongSecondFactorLimits {
        WrongSecondFactorLimits(
            maximum: policy.wrongCodesPerNumber,
            beforeWait: policy.wrongCodesBeforeWait,
            longestWaitMilliseconds: policy.longestWrongCodeWait.milliseconds,
            memoryMilliseconds: WrongSecondFactorLimits.memory.milliseconds
        )
    }
}

extension FinishSecondFactorSignInRequest.Evidence {
    fileprivate var kind: SecondFactorPolicy.Kind {
        switch self {
        case .phone: .sms
        case .totp: .totp
        }
    }

    fileprivate var code: String {
        switch self {
        case .phone(_, let code), .totp(_, let code): code
        }
    }
}

extension WrongSecondFactorLimits {
    /// The time after the last wrong TOTP or recovery code at which the count of an account's wrong codes is reset.
    /// Until then at most a hundred are verified (NIST SP 800-63B). With a half-life, an attacker who knows the
    /// password could go on guessing indefinitely.
    fileprivate static let memory: Duration = .seconds(30 * 86_400)
}
