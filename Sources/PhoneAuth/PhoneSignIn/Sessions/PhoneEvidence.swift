internal import Encodings
internal import PhoneNumbers
internal import RedisStore

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
            guard let proof = TemporaryProof(text, in: project, keys, store.shards),
                now.seconds < proof.expiresAt,
                let phone = try? phoneNumbers.parse(phoneNumber), phone.text == proof.phoneNumber
            else { throw .temporaryProofInvalid }
            return .temporaryProof(proof, phone, identity(of: phone.text))
        }
    }

    /// Verifies the evidence and uses it up, unless there is no room for the account that it would create.
    /// - Returns: the number's claim; the proposed claim if the number had none.
    func accept(
        _ attempt: PhoneSignIn,
        claimUse: SessionAnswer.ClaimUse = .current
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
        _ attempt: PhoneSignIn,
        proposing proposed: IdentifierClaim?
    ) throws(SignInWithPhoneNumberRefusal) -> TemporaryProofOutcome {
        try SignInWithPhoneNumberRefusal.wrapping(
            store.useTemporaryProof(
                proof.id,
                of: attempt.identity,
                requestID: requestID,
                markMilliseconds: TemporaryProof.lifetime.milliseconds,
                proposed: proposed
            )
        )
    }
}
