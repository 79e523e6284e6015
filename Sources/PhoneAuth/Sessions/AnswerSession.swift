internal import Encodings
public import PhoneNumbers
public import RedisStore

/// Why an answer to a verification session was not taken, whatever the session is for.
public enum VerificationCodeRefusal: Error {
    /// It is none of ours, is for something else, or for somebody else.
    case sessionInfoUnknown
    /// Its time is up, or it has been used; `used` tells which.
    case sessionEnded(used: Bool, E164)
    case codeWrong(attemptsLeft: Int, E164)
    case attemptsSpent(E164)
    /// There were too many wrong codes for the number; this answer was rejected without verification.
    case tooManyWrongCodes(WrongCodeBlock, E164)
    case failed(OperationFailure)
}

/// An answer to a session that has been read, but not verified yet.
struct ReadAnswer: Sendable, Confidential {
    let ticket: SessionTicket
    let code: String
    let phone: E164
    let identity: PhoneIdentity
}

extension Authenticator {
    /// Reads an answer to a session, without a round trip.
    func readAnswer(
        _ sessionInfo: String,
        code: String,
        in project: Project,
        isExpected: (SessionScope) -> Bool
    ) throws(VerificationCodeRefusal) -> ReadAnswer {
        guard let ticket = SessionTicket(sessionInfo, in: project, keys, store.shards), isExpected(ticket.scope),
            let phone = try? phoneNumbers.parse(ticket.phoneNumber)
        else { throw .sessionInfoUnknown }
        return ReadAnswer(ticket: ticket, code: code, phone: phone, identity: identity(of: phone.text, in: project))
    }

    /// Verifies an answer and uses the session up if it is right. `requestID` names the request, the same when it is
    /// repeated.
    ///
    /// The hooks' turn is taken first, whatever the code is: nothing may tell a correct code from a wrong one before
    /// the attempt is counted. An answer that finds all turns taken is neither verified nor counted, so the user can
    /// repeat it with the same code.
    /// - Returns: the number's claim: the proposed one, if it had none.
    @discardableResult
    func verify(
        _ answer: ReadAnswer,
        askingHooks hooks: SignInHooks?,
        claimUse: SessionAnswer.ClaimUse = .standing,
        of user: AuthenticatedUser? = nil,
        requestID: String,
        in project: Project,
        _ now: Instant
    ) throws(VerificationCodeRefusal) -> IdentifierClaim? {
        do { try hooks?.takeTurn() } catch { throw .failed(error) }
        let isRight = try expectedCode(of: answer.ticket, in: project)?.matches(answer.code) ?? false
        let phone = answer.phone
        switch try record(
            answer,
            isRight: isRight,
            claimUse: claimUse,
            of: user,
            requestID: requestID,
            in: project,
            now
        ) {
        case .right(let claim): return claim
        case .noRoom: throw .failed(.notAdmitted(.memoryNearlyFull))
        case .wrong(let attemptsLeft): throw .codeWrong(attemptsLeft: attemptsLeft, phone)
        case .exhausted: throw .attemptsSpent(phone)
        case .used: throw .sessionEnded(used: true, phone)
        case .expired: throw .sessionEnded(used: false, phone)
        case .blocked(let block): throw .tooManyWrongCodes(block, phone)
        }
    }

    /// nil where the session was a test number's and the number is one no more: then no answer is right.
    private func expectedCode(
        of ticket: SessionTicket,
        in project: Project
    ) throws(VerificationCodeRefusal) -> VerificationCode? {
        switch ticket.codeSource {
        case .derived:
            return VerificationCode(of: ticket, under: keys)
        case .testNumber:
            do {
                return try settings(of: project).testNumbers[ticket.phoneNumber]
            } catch {
                throw .failed(.unavailable(error))
            }
        }
    }

    private func record(
        _ answer: ReadAnswer,
        isRight: Bool,
        claimUse: SessionAnswer.ClaimUse,
        of user: AuthenticatedUser?,
        requestID: String,
        in project: Project,
        _ now: Instant
    ) throws(VerificationCodeRefusal) -> SessionAnswer.Outcome {
        do {
            return try store.answerSession(
                SessionAnswer(
                    id: answer.ticket.id,
                    phone: answer.identity,
                    isRight: isRight,
                    requestID: requestID,
                    isOfAccount: user?.account.phoneNumber == answer.phone.text,
                    claimUse: claimUse,
                    now: now.milliseconds,
                    tombstoneMilliseconds: policy.tombstoneLifetime.milliseconds,
                    isTestNumber: answer.ticket.codeSource == .testNumber,
                    wrongCodes: wrongCodeLimits(isTestNumber: answer.ticket.codeSource == .testNumber),
                    ranges: NumberRanges(of: answer.phone, in: project.id, keys),
                    rangeHalfLifeMilliseconds: TollFraudPolicy.halfLife.milliseconds,
                    ledgerMilliseconds: TollFraudPolicy.ledgerLife.milliseconds
                )
            )
        } catch {
            throw .failed(.unavailable(error))
        }
    }
}
