public import Encodings
internal import PhoneNumbers
public import RedisStore

/// A user who may start, or finish, the enrolment of a second factor: proven by an ID token whose first factor may have
/// them.
public struct EnrollingUser {
    let user: AuthenticatedUser
    var identity: AccountIdentity { user.identity }
}

/// How a user sets an authenticator app up.
public struct TOTPEnrollment: Sendable, Confidential {
    /// The secret, base 32.
    public let secret: String
    /// What the client hands back with the app's first code.
    public let sessionInfo: String
    /// Until when.
    public let expiresAt: Instant
    /// How many digits the codes have.
    public static let digitCount = TOTPSecret.digitCount
    /// How long each is good, in seconds.
    public static let periodSeconds = TOTPSecret.period
}

extension Authenticator {
    /// The user of an ID token, where second factors may be enrolled.
    ///
    /// An e-mail address must be verified, or somebody who signed up with another's could lock that person out; users without one
    /// are the operator's own servers'.
    /// - Throws: ``SecondFactorRefusal``.
    public func enrollingUser(
        idToken: String,
        _ kind: SecondFactorRecord.Kind,
        toFinish: Bool = false,
        in project: Project
    ) throws(SecondFactorRefusal) -> EnrollingUser {
        try project.requireSecondFactors(kind)
        let user: IdentifiedUser
        do { user = try identify(idToken: idToken, in: project) } catch { throw .notAuthenticated(error) }
        guard user.session.provider.mayHaveSecondFactors else { throw .firstFactorUnsupported }
        guard user.account.email == nil || user.account.isEmailVerified else { throw .emailUnverified }
        let operation: IDTokenOperation = toFinish ? .finishSecondFactorEnrollment : .startSecondFactorEnrollment
        do {
            return EnrollingUser(user: try authorize(user, for: [operation], in: project))
        } catch {
            throw .notAuthenticated(error)
        }
    }

    /// Sends a code to a number that is to become a second factor.
    /// - Throws: ``SecondFactorRefusal``; then nothing has changed.
    public func startPhoneEnrollment(
        of user: EnrollingUser,
        _ message: SendVerificationCodeRequest,
        in project: Project
    ) throws(SecondFactorRefusal) -> SentVerificationCode {
        let phone: E164
        do { phone = try parse(message.phoneNumber) } catch { throw .codeNotSent(error) }
        let number = identity(of: phone.text, in: project)
        guard !user.user.record.secondFactors.contains(where: { $0.numberHash == number.hash }) else {
            throw .alreadyEnrolled
        }
        try checkRoom(for: user)
        do {
            return try sendVerificationCode(
                to: phone,
                message,
                for: .enrollment(in: user.identity, keys),
                isOfAccount: user.user.account.phoneNumber == phone.text,
                in: project
            )
        } catch {
            throw .codeNotSent(error)
        }
    }

    /// Makes the secret of an authenticator app that is to become a second factor. Nothing of it is kept: the session info, which
    /// carries it sealed, comes back with the app's first code.
    /// - Throws: ``SecondFactorRefusal``.
    public func startTOTPEnrollment(
        of user: EnrollingUser,
        in project: Project
    ) throws(SecondFactorRefusal) -> TOTPEnrollment {
        try checkRoom(for: user)
        let ticket = TOTPEnrollmentTicket(
            id: environment.randomBytes(TOTPEnrollmentTicket.idByteCount),
            secret: TOTPSecret.make(environment),
            expiresAt: environment.now() + Policy.totpEnrollmentLifetime
        )
        do {
            return TOTPEnrollment(
                secret: ticket.secret.base32,
                sessionInfo: try ticket.text(for: user.identity, keys, environment),
                expiresAt: ticket.expiresAt
            )
        } catch {
            throw .failed(.cryptographyFailed)
        }
    }

    private func checkRoom(for user: EnrollingUser) throws(SecondFactorRefusal) {
        guard user.user.record.secondFactors.count < Policy.maximumSecondFactors else { throw .limitReached }
    }
}
