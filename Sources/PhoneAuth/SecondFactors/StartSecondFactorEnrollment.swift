public import Encodings
internal import PhoneNumbers

/// A user who may start or finish the enrollment of a second factor: authenticated by an ID token whose first factor
/// allows second factors.
public struct EnrollingUser {
    let user: AuthenticatedUser
    var identity: AccountIdentity { user.identity }
}

/// What a user needs to set up an authenticator app.
public struct TOTPEnrollment: Sendable, Confidential {
    /// The secret in base32.
    public let secret: String
    /// The client returns it with the app's first code.
    public let sessionInfo: String
    /// When the enrollment expires.
    public let expiresAt: Instant
    /// The number of digits of a code.
    public static let digitCount = TOTPSecret.digitCount
    /// How long each code is valid, in seconds.
    public static let periodSeconds = TOTPSecret.period
}

extension OperationContext {
    /// Authenticates the user of an ID token who may enroll second factors.
    ///
    /// An e-mail address must be verified. Otherwise an attacker who signed up with another person's address could lock
    /// the owner out. Users without an address come from the operator's own servers.
    /// - Throws: ``SecondFactorRefusal``.
    public func enrollingUser(
        idToken: String,
        _ kind: SecondFactorPolicy.Kind,
        toFinish: Bool = false
    ) throws(SecondFactorRefusal) -> EnrollingUser {
        try project.requireSecondFactors(kind)
        let user = try SecondFactorRefusal.wrapping(refusalOf: identify(idToken: idToken))
        guard user.session.provider.mayHaveSecondFactors else { throw .firstFactorUnsupported }
        guard user.account.email == nil || user.account.isEmailVerified else { throw .emailUnverified }
        let operation: IDTokenOperation = toFinish ? .finishSecondFactorEnrollment : .startSecondFactorEnrollment
        return EnrollingUser(user: try SecondFactorRefusal.wrapping(refusalOf: authorize(user, for: [operation])))
    }

    /// Sends a code to a number that is to become a second factor.
    /// - Throws: ``SecondFactorRefusal``; then nothing has changed.
    public func startPhoneEnrollment(
        of user: EnrollingUser,
        _ message: SendVerificationCodeRequest
    ) throws(SecondFactorRefusal) -> SentVerificationCode {
        let phone: E164
        do { phone = try parse(message.phoneNumber) } catch { throw .codeNotSent(error) }
        let number = identity(of: phone.text)
        guard !user.user.record.secondFactors.contains(where: { $0.numberHash == number.hash }) else {
            throw .alreadyEnrolled
        }
        try checkRoom(for: user)
        do {
            return try sendVerificationCode(
                to: phone,
                message,
                for: .enrollment(in: user.identity, keys),
                isOfAccount: user.user.account.phoneNumber == phone.text
            )
        } catch {
            throw .codeNotSent(error)
        }
    }

    /// Creates the secret for the enrollment of an authenticator app. The server stores nothing: the session info
    /// carries the secret, sealed, and comes back with the app's first code.
    /// - Throws: ``SecondFactorRefusal``.
    public func startTOTPEnrollment(of user: EnrollingUser) throws(SecondFactorRefusal) -> TOTPEnrollment {
        try checkRoom(for: user)
        let ticket = TOTPEnrollmentTicket(
            id: environment.randomBytes(TOTPEnrollmentTicket.idByteCount),
            secret: TOTPSecret.make(environment),
            expiresAt: now + Policy.longestTOTPEnrollment
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
        guard user.user.record.secondFactors.count < SecondFactor.maximumPerAccount else { throw .limitReached }
    }
}
