internal import Encodings
internal import PhoneNumbers
internal import RedisStore

/// Proof of a number that has been read, but not judged yet.
enum PhoneEvidence: Sendable {
    case answer(SessionTicket, code: String, E164)
    case temporaryProof(TemporaryProof, E164)

    var phone: E164 {
        switch self {
        case .answer(_, _, let phone), .temporaryProof(_, let phone): phone
        }
    }

    /// Tells it from other proofs.
    var name: String {
        switch self {
        case .answer(let ticket, _, _): ticket.id.text
        case .temporaryProof(let proof, _): proof.id.text
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
            guard let ticket = SessionTicket(sessionInfo, in: project, keys, store.shards), ticket.purpose == .signIn,
                let phone = try? phoneNumbers.parse(ticket.phoneNumber)
            else { throw .sessionInfoUnknown }
            return .answer(ticket, code: code, phone)
        case .temporaryProof(let text, let phoneNumber):
            guard let proof = TemporaryProof(text, in: project, keys, store.shards),
                environment.now().seconds < proof.expiresAt,
                let phone = try? phoneNumbers.parse(phoneNumber), phone.text == proof.phoneNumber
            else { throw .temporaryProofInvalid }
            return .temporaryProof(proof, phone)
        }
    }

    /// Judges the proof and uses it up.
    /// - Returns: the claim that stands with the number: `proposed`, where none did.
    func accept(
        _ attempt: PhoneSignIn,
        proposing proposed: IdentifierClaim?
    ) throws(SignInWithPhoneNumberRefusal) -> IdentifierClaim? {
        switch attempt.evidence {
        case .answer(let ticket, let code, let phone):
            let isRight = try expectedCode(of: ticket, in: attempt.project)?.matches(code) ?? false
            // Only who has the right code may take a turn from others.
            if isRight { try takeTurn(attempt) }
            switch try answer(ticket, attempt, isRight: isRight, proposing: proposed) {
            case .right(let claim): return claim
            case .wrong(let attemptsLeft): throw .codeWrong(attemptsLeft: attemptsLeft, phone)
            case .exhausted: throw .attemptsSpent(phone)
            case .used: throw .sessionEnded(used: true, phone)
            case .expired: throw .sessionEnded(used: false, phone)
            case .blocked(let block): throw .tooManyWrongCodes(block, phone)
            }
        case .temporaryProof(let proof, _):
            try takeTurn(attempt)
            switch try use(proof, attempt, proposing: proposed) {
            case .good(let claim): return claim
            case .used: throw .temporaryProofInvalid
            }
        }
    }

    /// Takes the turn to ask hooks before the proof is used up: who is told to come later may come with the same.
    private func takeTurn(_ attempt: PhoneSignIn) throws(SignInWithPhoneNumberRefusal) {
        do { try attempt.hooks?.takeTurn() } catch { throw .failed(error) }
    }

    /// nil where the session was a test number's and the number is one no more: then no answer is right.
    private func expectedCode(
        of ticket: SessionTicket,
        in project: Project
    ) throws(SignInWithPhoneNumberRefusal) -> VerificationCode? {
        switch ticket.codeSource {
        case .derived:
            return VerificationCode(of: ticket.id, for: ticket.phoneNumber, purpose: ticket.purpose, under: keys)
        case .testNumber:
            do {
                return try projectSettings.settings(of: project, from: self).testNumbers[ticket.phoneNumber]
            } catch {
                throw .failed(.unavailable(error))
            }
        }
    }

    private func answer(
        _ ticket: SessionTicket,
        _ attempt: PhoneSignIn,
        isRight: Bool,
        proposing proposed: IdentifierClaim?
    ) throws(SignInWithPhoneNumberRefusal) -> SessionAnswer.Outcome {
        do {
            return try store.answerSession(
                SessionAnswer(
                    id: ticket.id,
                    phone: attempt.identity,
                    isRight: isRight,
                    requestID: attempt.requestID,
                    proposed: proposed,
                    now: attempt.now.milliseconds,
                    tombstoneMilliseconds: policy.tombstoneLifetime.milliseconds,
                    isTestNumber: ticket.codeSource == .testNumber,
                    wrongCodes: wrongCodeLimits,
                    ranges: NumberRanges(of: attempt.phone, in: attempt.project.id, keys),
                    rangeHalfLifeMilliseconds: TollFraudPolicy.halfLife.milliseconds,
                    ledgerMilliseconds: TollFraudPolicy.ledgerLife.milliseconds
                )
            )
        } catch {
            throw .failed(.unavailable(error))
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
