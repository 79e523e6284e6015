internal import Encodings
internal import PhoneNumbers
internal import RedisStore

/// Proof of a number that has been read, but not judged yet.
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

    /// Tells it from other proofs.
    var name: String {
        switch self {
        case .answer(let answer): answer.ticket.id.text
        case .temporaryProof(let proof, _, _): proof.id.text
        }
    }
}

extension Authenticator {
    /// Reads what a client brings, without a round trip.
    func read(
        _ evidence: SignInWithPhoneNumberRequest.Evidence,
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
            guard let proof = TemporaryProof(text, in: project, keys, store.shards),
                environment.now().seconds < proof.expiresAt,
                let phone = try? phoneNumbers.parse(phoneNumber), phone.text == proof.phoneNumber
            else { throw .temporaryProofInvalid }
            return .temporaryProof(proof, phone, identity(of: phone.text, in: project))
        }
    }

    /// Judges the proof and uses it up.
    /// - Returns: the claim that stands with the number: `proposed`, where none did.
    func accept(
        _ attempt: PhoneSignIn,
        proposing proposed: IdentifierClaim?
    ) throws(SignInWithPhoneNumberRefusal) -> IdentifierClaim? {
        switch attempt.evidence {
        case .answer(let answer):
            do {
                return try judge(
                    answer,
                    askingHooks: attempt.hooks,
                    proposing: proposed,
                    requestID: attempt.requestID,
                    in: attempt.project,
                    attempt.now
                )
            } catch {
                throw .code(error)
            }
        case .temporaryProof(let proof, _, _):
            do { try attempt.hooks?.takeTurn() } catch { throw .failed(error) }
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
