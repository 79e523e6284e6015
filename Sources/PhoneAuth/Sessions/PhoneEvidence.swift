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

    /// The id of the session or proof, which distinguishes this evidence from all other.
    var name: String {
        switch self {
        case .answer(let answer): answer.ticket.id.text
        case .temporaryProof(let proof, _, _): proof.id.text
        }
    }
}

extension Authenticator {
    /// Parses a client's evidence, without a round trip. A temporary proof is a secret, so the hook slot is taken
    /// before the proof is decrypted.
    func read(
        _ evidence: SignInWithPhoneNumberRequest.Evidence,
        askingHooks hooks: SignInHooks?,
        in project: Project
    ) throws(SignInWithPhoneNumberRefusal) -> PhoneEvidence {
        switch evidence {
        case .code(let sessionInfo, let code):
            do {
                return .answer(try readAnswer(sessionInfo, code: code, in: project) { $0 == .signIn })
            } catch {
                throw .code(error)
            }
        case .temporaryProof(let text, let phoneNumber):
            do { try hooks?.takeTurn() } catch { throw .failed(error) }
            guard let proof = TemporaryProof(text, in: project, keys, store.shards),
                environment.now().seconds < proof.expiresAt,
                let phone = try? phoneNumbers.parse(phoneNumber), phone.text == proof.phoneNumber
            else { throw .temporaryProofInvalid }
            return .temporaryProof(proof, phone, identity(of: phone.text, in: project))
        }
    }

    /// Verifies the evidence and uses it up, unless there is no room for the account that it would create.
    /// - Returns: the number's claim; the proposed claim if the number had none.
    func accept(
        _ attempt: PhoneSignIn,
        claimUse: SessionAnswer.ClaimUse = .standing
    ) throws(SignInWithPhoneNumberRefusal) -> IdentifierClaim? {
        switch attempt.evidence {
        case .answer(let answer):
            do {
                return try verify(
                    answer,
                    askingHooks: attempt.hooks,
                    claimUse: claimUse,
                    of: attempt.user,
                    requestID: attempt.requestID,
                    in: attempt.project,
                    attempt.now
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
        do {
            return try store.useTemporaryProof(
                proof.id,
                of: attempt.identity,
                requestID: attempt.requestID,
                markMilliseconds: Policy.temporaryProofLifetime.milliseconds,
                proposed: proposed
            )
        } catch {
            throw .failed(.unavailable(error))
        }
    }
}
