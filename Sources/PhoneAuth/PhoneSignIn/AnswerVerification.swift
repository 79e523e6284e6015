internal import Encodings
public import PhoneNumbers

/// Why a code for a verification session was not accepted, whatever the purpose of the session.
public enum VerificationCodeRefusal: OperationRefusal {
    /// The session info is not ours, is for another purpose, or belongs to another account or second factor.
    case sessionInfoUnknown
    /// The session has expired, or was used before (replay), as `used` says.
    case sessionEnded(used: Bool, E164)
    case codeWrong(attemptsLeft: Int, E164)
    case attemptsSpent(E164)
    /// There were too many wrong codes for the number (brute force); this code was rejected without verification.
    case tooManyWrongCodes(WrongCodeBlock, E164)
    case failed(OperationFailure)
}

/// A client's code for a session, parsed but not verified yet.
struct ReadAnswer: Sendable, Confidential {
    let ticket: VerificationTicket
    let code: String
    let phone: E164
    let identity: PhoneIdentity
    let ranges: NumberRanges
}

extension OperationContext {
    /// Parses the session info and code of a client, without a round trip.
    func readAnswer(
        _ sessionInfo: String,
        code: String,
        isExpected: (VerificationScope) -> Bool
    ) throws(VerificationCodeRefusal) -> ReadAnswer {
        guard let ticket = VerificationTicket(sessionInfo, in: project, keys), isExpected(ticket.scope),
            let phone = try? phoneNumbers.parse(ticket.phoneNumber)
        else { throw .sessionInfoUnknown }
        return ReadAnswer(
            ticket: ticket,
            code: code,
            phone: phone,
            identity: identity(of: phone.text),
            ranges: NumberRanges(of: phone, in: project.id, keys)
        )
    }

    /// Verifies a code, and uses up the session if the code is correct (single use).
    ///
    /// The hook slot is taken first, whatever the code is: nothing may distinguish a correct code from a wrong one
    /// before the attempt is counted. If no slot is free, the code is neither verified nor counted here: the user can
    /// retry with the same code, unless this is the repeated request of a worker that died after the script.
    /// - Returns: the number's claim; the proposed claim if the number had none.
    @discardableResult
    func verify(
        _ answer: ReadAnswer,
        callingHooks hooks: SignInHooks?,
        claimUse: ClaimUse = .current,
        of user: AuthenticatedUser? = nil
    ) throws(VerificationCodeRefusal) -> IdentifierClaim? {
        try VerificationCodeRefusal.wrapping(failureOf: hooks?.takeSlot())
        let code = try expectedCode(of: answer.ticket)
        let isTestNumber = answer.ticket.codeSource == .testNumber
        return try VerificationCodeRefusal.wrapping(
            store.answerVerification(
                answer,
                isRight: code?.matches(answer.code) ?? false,
                // A test number's account shows only that its user knew some code of the number.
                isOfAccount: !isTestNumber && user?.account.phoneNumber == answer.phone.text,
                testCodeHash: isTestNumber ? testCodeHash(of: answer.phone, code) : nil,
                claimUse: claimUse,
                requestID: repeatID,
                under: policy,
                at: now
            )
        ).get()
    }

    /// Returns the code of a session. Returns nil if the session was for a test number and the number is no longer a
    /// test number: then every code is wrong.
    private func expectedCode(of ticket: VerificationTicket) throws(VerificationCodeRefusal) -> VerificationCode? {
        switch ticket.codeSource {
        case .derived:
            return VerificationCode(of: ticket, under: keys)
        case .testNumber:
            return try VerificationCodeRefusal.wrapping(settings().testNumbers[ticket.phoneNumber])
        }
    }

    /// Returns a keyed hash of a test number's present code, or of none if the number is no longer a test number.
    private func testCodeHash(of phone: E164, _ code: VerificationCode?) -> String {
        let hash = keys.lookups("test-code", .text(project.id), .text(phone.text), .text(code?.digits ?? ""))
        return Base64URL.string(hash.prefix(16))
    }
}
