public import Encodings
internal import PhoneNumbers

/// A request to finish the enrollment of a second factor, with proof that the user has it.
public struct FinishSecondFactorEnrollmentRequest: Sendable, Confidential {
    /// The proof of the factor.
    public enum Evidence: Sendable {
        /// The session info of ``OperationContext/startPhoneEnrollment(of:_:)``, and the code of the message.
        case phone(sessionInfo: String, code: String)
        /// The session info of ``OperationContext/startTOTPEnrollment(of:)``, and the code that the app shows now.
        case totp(sessionInfo: String, code: String)
    }

    /// The proof of the factor.
    public var evidence: Evidence
    /// The user's name for the factor.
    public var displayName: String?
    /// The client; reported to blocking hooks only.
    public var client = ClientDescription()

    /// Creates a request.
    public init(_ evidence: Evidence, displayName: String?) {
        self.evidence = evidence
        self.displayName = displayName
    }
}

extension OperationContext {
    /// Enrolls a second factor and issues tokens that name it. Earlier tokens are revoked, as with a new password: an
    /// attacker's session began without the factor.
    ///
    /// The project's hook is called after the factor is proven and before it is recorded
    /// (``BlockingHookEvent/beforeSecondFactorEnrollment``). The hook receives a code with which the user can revert
    /// the enrollment, see ``OperationContext/revertSecondFactor(_:)``.
    /// - Throws: ``SecondFactorRefusal``. A wrong code of a message counts as an attempt.
    public func finishEnrollment(
        of user: EnrollingUser,
        _ request: FinishSecondFactorEnrollmentRequest
    ) throws(SecondFactorRefusal) -> IssuedTokens {
        guard DisplayName.isLegal(request.displayName) else { throw .displayNameTooLong }
        let hooks = hooks(about: [.beforeSecondFactorEnrollment], for: request.client, .proven)
        let record: SecondFactorRecord
        switch request.evidence {
        case .phone(let sessionInfo, let code):
            record = try provenPhone(sessionInfo, code, of: user, request, callingHooks: hooks)
        case .totp(let sessionInfo, let code):
            record = try provenApp(sessionInfo, code, of: user, request, callingHooks: hooks)
        }
        return try enroll(record, for: user, callingHooks: hooks)
    }

    private func provenPhone(
        _ sessionInfo: String,
        _ code: String,
        of user: EnrollingUser,
        _ request: FinishSecondFactorEnrollmentRequest,
        callingHooks hooks: SignInHooks?
    ) throws(SecondFactorRefusal) -> SecondFactorRecord {
        let scope = VerificationScope.enrollment(in: user.identity, keys)
        let answer: ReadAnswer
        do {
            answer = try readAnswer(sessionInfo, code: code) { $0 == scope }
            try verify(answer, callingHooks: hooks)
        } catch {
            throw .code(error)
        }
        let id = secondFactorID(of: answer.ticket.id.bytes, user.identity)
        return SecondFactorRecord(
            id: id,
            kind: .phone,
            sealed: try sealed(.phone, id, Array(answer.phone.text.utf8), for: user),
            number: answer.identity,
            isOfTestNumber: answer.ticket.codeSource == .testNumber,
            displayName: request.displayName,
            enrolledAt: now.milliseconds,
            requestID: repeatID
        )
    }

    private func provenApp(
        _ sessionInfo: String,
        _ code: String,
        of user: EnrollingUser,
        _ request: FinishSecondFactorEnrollmentRequest,
        callingHooks hooks: SignInHooks?
    ) throws(SecondFactorRefusal) -> SecondFactorRecord {
        guard let ticket = TOTPEnrollmentTicket(sessionInfo, for: user.identity, keys) else { throw .enrollmentUnknown }
        guard now < ticket.expiresAt else { throw .enrollmentEnded(used: false) }
        try SecondFactorRefusal.wrapping(failureOf: hooks?.takeSlot())
        let adjacentIntervals = project.secondFactors.adjacentIntervals ?? 0
        guard let step = ticket.secret.step(of: code, around: now, adjacentIntervals: adjacentIntervals) else {
            throw .answerWrong
        }
        let id = secondFactorID(of: ticket.id, user.identity)
        return SecondFactorRecord(
            id: id,
            kind: .totp,
            sealed: try sealed(.totp, id, ticket.secret.bytes, for: user),
            number: nil,
            displayName: request.displayName,
            enrolledAt: now.milliseconds,
            requestID: repeatID,
            // Codes are single use: the code of the enrollment must not sign in.
            enrolledStep: step
        )
    }

    private func enroll(
        _ record: SecondFactorRecord,
        for user: EnrollingUser,
        callingHooks hooks: SignInHooks?
    ) throws(SecondFactorRefusal) -> IssuedTokens {
        var changes = AccountUpdate()
        changes.secondFactors = [record]
        return try changeSecondFactors(
            of: user.user,
            .room(for: record, atMost: SecondFactor.maximumPerAccount),
            changes,
            sessionFactor: ProvenSecondFactor(record.kind == .phone ? .phone : .totp, id: record.id),
            enrollment: SecondFactorEnrollment(
                factor: SecondFactor(record, of: user.identity, keys),
                sessionFactor: user.user.session.secondFactor
            ),
            callingHooks: hooks
        )
    }

    /// Derives a factor's id from the session that proved the factor, so that a session enrolls its factor only once.
    private func secondFactorID(of session: [UInt8], _ account: AccountIdentity) -> String {
        let hash = keys.lookups("second-factor", .text(account.project), .text(account.uid), .bytes(session))
        return Base64URL.string(hash.prefix(16))
    }

    private func sealed(
        _ kind: SecondFactorRecord.Kind,
        _ id: String,
        _ plaintext: [UInt8],
        for user: EnrollingUser
    ) throws(SecondFactorRefusal) -> [UInt8] {
        return try SecondFactorRefusal.wrapping(failureOf: sealSecondFactor(kind, id, plaintext, for: user.identity))
    }
}
