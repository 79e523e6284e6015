internal import Cryptography
internal import Encodings
internal import PhoneNumbers
internal import RedisScripts

/// An attempt to sign in or to prove something with a phone number.
struct PhoneSignInAttempt {
    let evidence: PhoneEvidence
    /// The user of the ID token in the request.
    let user: AuthenticatedUser?
    /// The blocking hooks to call before the sign-in.
    let hooks: SignInHooks?

    var phone: E164 { evidence.phone }

    var identity: PhoneIdentity { evidence.identity }

    var identifier: AccountIdentifier<PhoneIdentity> {
        AccountIdentifier(text: phone.text, identity: identity, isTestNumber: evidence.codeSource == .testNumber)
    }
}

extension PhoneSignInAttempt {
    /// Returns whether the attempt's proof is of the kind from which the claim arose: a test number's code signs in
    /// only to an account that has the number by such a code, and a message's code never does.
    func mayUse(_ claim: IdentifierClaim) -> Bool { claim.isOfTestNumber == identifier.isTestNumber }
}

extension OperationContext {
    /// Returns the refusal for a user whose number belongs to another account.
    func refusalOfAnother(
        _ attempt: PhoneSignInAttempt
    ) throws(SignInWithPhoneNumberRefusal) -> SignInWithPhoneNumberRefusal {
        if case .temporaryProof = attempt.evidence { return .numberExists(attempt.phone) }
        do {
            let bytes = repeatableBytes(TemporaryProofID.byteCount, "temporary-proof", attempt.evidence.name)
            guard let id = TemporaryProofID(project: project.id, bytes: bytes) else {
                throw CryptographyFailure()
            }
            let proof = TemporaryProof(
                id: id,
                phoneNumber: attempt.phone.text,
                expiresAt: (now + TemporaryProof.lifetime).seconds,
                codeSource: attempt.evidence.codeSource
            )
            let text = try proof.text(in: project, keys, environment)
            return .numberOfAnotherAccount(attempt.phone, temporaryProof: text)
        } catch {
            throw .failed(.cryptographyFailed)
        }
    }

    /// Returns whether the account that a claim leads to has the number.
    func isHeld(_ claim: IdentifierClaim, _ attempt: PhoneSignInAttempt) throws(SignInWithPhoneNumberRefusal) -> Bool {
        return try SignInWithPhoneNumberRefusal.wrapping(holdsClaim(claim, of: .phone))
    }

    /// Returns the claim by which an account has the number; nil if there is none, or if a sign-in with the number
    /// would take the number away from the account. The number of Redis queries does not depend on the result.
    func heldClaim(_ attempt: PhoneSignInAttempt) throws(SignInWithPhoneNumberRefusal) -> IdentifierClaim? {
        guard let holder = try SignInWithPhoneNumberRefusal.wrapping(holder(of: attempt.identity)),
            attempt.mayUse(holder.claim),
            recycledNumberRule()?.takesNumber(from: holder.record) != true
        else { return nil }
        return holder.claim
    }

    /// Issues tokens for the account that has the number by `claim`, or that the number is linked to.
    func signInHolder(
        of claim: IdentifierClaim,
        _ attempt: PhoneSignInAttempt,
        maker: String,
        recycledNumbers: RecycledNumberRule?
    ) throws(SignInWithPhoneNumberRefusal) -> TokenOutcome {
        let account = AccountIdentity(project: project.id, uid: claim.uid, among: store.shards)
        let identifier = attempt.identifier
        return try SignInWithPhoneNumberRefusal.wrapping(
            failureOf: issueTokens(
                TokenRequest(
                    account: account,
                    provider: .phone,
                    signedInAt: now,
                    maker: maker,
                    identifier: signInIdentifier(identifier, claim, of: account),
                    number: identifier.text,
                    recycledNumbers: recycledNumbers,
                    secondFactorNeed: project.secondFactorNeed,
                    hooks: attempt.hooks
                )
            )
        )
    }
}

/// A proof of a phone number, parsed but not yet used up. A code has not been verified yet.
enum PhoneEvidence: Sendable {
    case answer(ReadAnswer)
    case temporaryProof(TemporaryProof, E164, PhoneIdentity)

    var phone: E164 {
        switch self {
        case .answer(let answer): answer.phone
        case .temporaryProof(_, let phone, _): phone
        }
    }

    var identity: PhoneIdentity {
        switch self {
        case .answer(let answer): answer.identity
        case .temporaryProof(_, _, let identity): identity
        }
    }

    /// The source of the code that verifies, or has verified, the number.
    var codeSource: CodeSource {
        switch self {
        case .answer(let answer): answer.ticket.codeSource
        case .temporaryProof(let proof, _, _): proof.codeSource
        }
    }

    /// The id of the session or proof, which distinguishes this evidence from all others.
    var name: String {
        switch self {
        case .answer(let answer): answer.ticket.id.text
        case .temporaryProof(let proof, _, _): proof.id.text
        }
    }
}

extension OperationContext {
    /// Parses a client's evidence, without a round trip. A temporary proof is a secret, so the hook slot is taken
    /// before the proof is decrypted.
    func read(
        _ evidence: SignInWithPhoneNumberRequest.Evidence,
        callingHooks hooks: SignInHooks?
    ) throws(SignInWithPhoneNumberRefusal) -> PhoneEvidence {
        switch evidence {
        case .code(let sessionInfo, let code):
            do {
                return .answer(try readAnswer(sessionInfo, code: code) { $0 == .signIn })
            } catch {
                throw .code(error)
            }
        case .temporaryProof(let text, let phoneNumber):
            try SignInWithPhoneNumberRefusal.wrapping(failureOf: hooks?.takeSlot())
            guard let proof = TemporaryProof(text, in: project, keys),
                now.seconds < proof.expiresAt,
                let phone = try? phoneNumbers.parse(phoneNumber), phone.text == proof.phoneNumber
            else { throw .temporaryProofInvalid }
            return .temporaryProof(proof, phone, identity(of: phone.text))
        }
    }

    /// Verifies the evidence and uses it up, unless there is no room for the account that it would create.
    /// - Returns: the number's claim; the proposed claim if the number had none.
    func accept(
        _ attempt: PhoneSignInAttempt,
        claimUse: ClaimUse = .current
    ) throws(SignInWithPhoneNumberRefusal) -> IdentifierClaim? {
        switch attempt.evidence {
        case .answer(let answer):
            do {
                return try verify(
                    answer,
                    callingHooks: attempt.hooks,
                    claimUse: claimUse,
                    of: attempt.user
                )
            } catch {
                throw .code(error)
            }
        case .temporaryProof(let proof, _, _):
            // The proof was verified when it was read.
            if case .required(nil) = claimUse { throw .failed(.notAdmitted(.memoryNearlyFull)) }
            // Unlike a session, a proof does not show that the store still has the deployment's accounts.
            try SignInWithPhoneNumberRefusal.wrapping(store.confirmDeployment())
            var proposed: IdentifierClaim?
            if case .proposed(let claim) = claimUse { proposed = claim }
            switch try use(proof, attempt, proposing: proposed) {
            case .good(let claim): return claim
            case .used: throw .temporaryProofInvalid
            }
        }
    }

    private func use(
        _ proof: TemporaryProof,
        _ attempt: PhoneSignInAttempt,
        proposing proposed: IdentifierClaim?
    ) throws(SignInWithPhoneNumberRefusal) -> TemporaryProofOutcome {
        try SignInWithPhoneNumberRefusal.wrapping(
            store.useTemporaryProof(
                proof.id,
                of: attempt.identity,
                requestID: repeatID,
                markMilliseconds: TemporaryProof.lifetime.milliseconds,
                proposed: proposed
            )
        )
    }
}
