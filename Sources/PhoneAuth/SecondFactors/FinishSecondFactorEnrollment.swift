public import Encodings
internal import PhoneNumbers
internal import RedisStore

/// Proof that a user holds what is to become a second factor.
public struct FinishSecondFactorEnrollmentRequest: Sendable, Confidential {
    /// What the user brings.
    public enum Evidence: Sendable {
        /// What ``Authenticator/startPhoneEnrollment(of:_:in:)`` gave, and the code of the message.
        case phone(sessionInfo: String, code: String)
        /// What ``Authenticator/startTOTPEnrollment(of:in:)`` gave, and the code that the app shows now.
        case totp(sessionInfo: String, code: String)
    }

    /// What the user brings.
    public var evidence: Evidence
    /// What the user wants to call the factor.
    public var displayName: String?
    /// Names this request, the same when a front end repeats it.
    public var requestID: String
    /// Who sends it; only blocking hooks are told so.
    public var client = ClientDescription()

    /// Proof of a factor.
    public init(_ evidence: Evidence, displayName: String?, requestID: String) {
        self.evidence = evidence
        self.displayName = displayName
        self.requestID = requestID
    }
}

extension Authenticator {
    /// Gives an account a second factor, and its user new tokens, which name it. Tokens issued before end, as they do with a new
    /// password: a session that somebody else has was begun without the factor.
    ///
    /// The project's hook is asked when the factor is proven, before it is recorded (``BlockingHookEvent/beforeSecondFactorEnrollment``).
    /// It gets a code by which the user can undo the enrolment, see ``revertSecondFactor(_:requestID:in:)``.
    /// - Throws: ``SecondFactorRefusal``. A wrong code of a message counts as an attempt.
    public func finishEnrollment(
        of user: EnrollingUser,
        _ request: FinishSecondFactorEnrollmentRequest,
        in project: Project
    ) throws(SecondFactorRefusal) -> IssuedTokens {
        guard DisplayName.isLegal(request.displayName) else { throw .displayNameTooLong }
        let now = environment.now()
        let hooks = hooks(about: [.beforeSecondFactorEnrollment], for: request.client, .proven, in: project)
        let record: SecondFactorRecord
        switch request.evidence {
        case .phone(let sessionInfo, let code):
            record = try provenPhone(sessionInfo, code, of: user, request, askingHooks: hooks, in: project, now)
        case .totp(let sessionInfo, let code):
            record = try provenApp(sessionInfo, code, of: user, request, askingHooks: hooks, in: project, now)
        }
        return try enroll(record, for: user, askingHooks: hooks, in: project, now)
    }

    private func provenPhone(
        _ sessionInfo: String,
        _ code: String,
        of user: EnrollingUser,
        _ request: FinishSecondFactorEnrollmentRequest,
        askingHooks hooks: SignInHooks?,
        in project: Project,
        _ now: Instant
    ) throws(SecondFactorRefusal) -> SecondFactorRecord {
        let scope = SessionScope.enrollment(in: user.identity, keys)
        let answer: ReadAnswer
        do {
            answer = try readAnswer(sessionInfo, code: code, in: project) { $0 == scope }
            try verify(answer, askingHooks: hooks, requestID: request.requestID, in: project, now)
        } catch {
            throw .code(error)
        }
        let id = secondFactorID(of: answer.ticket.id.bytes, user.identity)
        return SecondFactorRecord(
            id: id,
            kind: .phone,
            sealed: try sealed(.phone, id, Array(answer.phone.text.utf8), for: user),
            number: answer.identity,
            displayName: request.displayName,
            enrolledAt: now.milliseconds,
            requestID: request.requestID
        )
    }

    private func provenApp(
        _ sessionInfo: String,
        _ code: String,
        of user: EnrollingUser,
        _ request: FinishSecondFactorEnrollmentRequest,
        askingHooks hooks: SignInHooks?,
        in project: Project,
        _ now: Instant
    ) throws(SecondFactorRefusal) -> SecondFactorRecord {
        guard let ticket = TOTPEnrollmentTicket(sessionInfo, for: user.identity, keys) else { throw .enrollmentUnknown }
        guard now < ticket.expiresAt else { throw .enrollmentEnded(used: false) }
        do { try hooks?.takeTurn() } catch { throw .failed(error) }
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
            requestID: request.requestID,
            // The code has been seen: it signs in nobody.
            enrolledStep: step
        )
    }

    private func enroll(
        _ record: SecondFactorRecord,
        for user: EnrollingUser,
        askingHooks hooks: SignInHooks?,
        in project: Project,
        _ now: Instant
    ) throws(SecondFactorRefusal) -> IssuedTokens {
        var changes = AccountUpdate()
        changes.secondFactors = [record]
        return try changeSecondFactors(
            of: user.user,
            .room(for: record, atMost: Policy.maximumSecondFactors),
            changes,
            sessionFactor: ProvenSecondFactor(record.kind == .phone ? .phone : .totp, id: record.id),
            enrollment: SecondFactorEnrollment(
                factor: SecondFactor(record, of: user.identity, keys),
                sessionFactor: user.user.session.secondFactor
            ),
            askingHooks: hooks,
            in: project,
            now
        )
    }

    /// What a factor is called: it follows from the session that proved it, so that the same session enrols it once.
    private func secondFactorID(of session: [UInt8], _ account: AccountIdentity) -> String {
        let hash = keys.indexes("second-factor", .text(account.project), .text(account.uid), .bytes(session))
        return Base64URL.string(hash.prefix(16))
    }

    private func sealed(
        _ kind: SecondFactorRecord.Kind,
        _ id: String,
        _ plaintext: [UInt8],
        for user: EnrollingUser
    ) throws(SecondFactorRefusal) -> [UInt8] {
        do { return try sealSecondFactor(kind, id, plaintext, for: user.identity) } catch { throw .failed(error) }
    }
}
