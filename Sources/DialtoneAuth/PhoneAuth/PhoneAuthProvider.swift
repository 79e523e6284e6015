internal import Foundation

/// A delegate for presenting web pages. Kept for source compatibility: Dialtone's proof of work needs no page, and a
/// ``ChallengePresenter`` shows the pages of CAPTCHA providers.
public protocol AuthUIDelegate: AnyObject {}

/// The provider's name; see ``PhoneAuthProvider/id``.
public let PhoneAuthProviderID = PhoneAuthProvider.id
/// The name of phone sign-in as a sign-in method; see ``PhoneAuthProvider/id``.
public let PhoneAuthSignInMethod = PhoneAuthProvider.id

/// The provider that verifies phone numbers by sending verification codes to them.
public final class PhoneAuthProvider: Sendable {
    /// The provider's name.
    public static let id = "phone"

    private let auth: Auth

    private init(_ auth: Auth) { self.auth = auth }

    /// Returns the provider of the default app.
    public static func provider() -> PhoneAuthProvider { provider(auth: Auth.auth()) }

    /// Returns the provider of an ``Auth``.
    public static func provider(auth: Auth) -> PhoneAuthProvider { PhoneAuthProvider(auth) }

    /// Sends a verification code to a phone number.
    ///
    /// Before you call it, tell users that a message may be sent, and that it may cost them money. Further calls for
    /// the same number, such as whenever a view appears, send no second message until the server's wait is over.
    ///
    /// - Parameters:
    ///   - phoneNumber: the number with its country code, such as `+16505550101`.
    ///   - uiDelegate: not used.
    ///   - multiFactorSession: the session of an enrollment; nil to sign in or to link.
    /// - Returns: the verification ID, which is also stored in ``verificationInProgress``.
    /// - Throws: an error whose code is an ``AuthErrorCode``. If a rate limit was exceeded, its
    ///   ``AuthErrors/userInfoRetryAfterKey`` says how long to wait.
    public func verifyPhoneNumber(
        _ phoneNumber: String,
        uiDelegate: (any AuthUIDelegate)? = nil,
        multiFactorSession: MultiFactorSession? = nil
    ) async throws -> String {
        let number = phoneNumber.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !number.isEmpty else { throw AuthErrorCode.missingPhoneNumber.error() }
        guard let multiFactorSession else {
            return try await auth.sends.value("number:\(number)") { try await self.auth.sendCode(to: number) }
        }
        guard case .enrollment(let user) = multiFactorSession.purpose else {
            throw AuthErrorCode.invalidMultiFactorSession.error(
                "The session belongs to a sign-in. Pass a hint of its resolver instead of a phone number."
            )
        }
        return try await auth.sends.value("enrollment:\(user.uid):\(number)") {
            try await self.auth.sendEnrollmentCode(to: number, of: user)
        }
    }

    /// Sends a verification code to a phone number; see ``verifyPhoneNumber(_:uiDelegate:multiFactorSession:)``.
    public func verifyPhoneNumber(
        _ phoneNumber: String,
        uiDelegate: (any AuthUIDelegate)? = nil,
        multiFactorSession: MultiFactorSession? = nil,
        completion: AuthCompletion<String>?
    ) {
        complete(completion) {
            try await self.verifyPhoneNumber(phoneNumber, multiFactorSession: multiFactorSession)
        }
    }

    /// Sends a verification code to a phone number; see ``verifyPhoneNumber(_:uiDelegate:multiFactorSession:)``.
    public func verifyPhoneNumber(
        _ phoneNumber: String,
        uiDelegate: (any AuthUIDelegate)?,
        completion: AuthCompletion<String>?
    ) {
        verifyPhoneNumber(phoneNumber, uiDelegate: uiDelegate, multiFactorSession: nil, completion: completion)
    }

    /// Sends a verification code to a second factor of the user who is signing in.
    ///
    /// - Parameters:
    ///   - multiFactorInfo: one of the resolver's hints.
    ///   - uiDelegate: not used.
    ///   - multiFactorSession: the resolver's session.
    /// - Returns: the verification ID.
    /// - Throws: an error whose code is an ``AuthErrorCode``.
    public func verifyPhoneNumber(
        with multiFactorInfo: PhoneMultiFactorInfo,
        uiDelegate: (any AuthUIDelegate)? = nil,
        multiFactorSession: MultiFactorSession?
    ) async throws -> String {
        guard let multiFactorSession else { throw AuthErrorCode.missingMultiFactorSession.error() }
        guard case .signIn(let pending) = multiFactorSession.purpose else {
            throw AuthErrorCode.invalidMultiFactorSession.error()
        }
        return try await auth.sends.value("factor:\(multiFactorInfo.uid):\(pending.credential)") {
            try await self.auth.sendSecondFactorCode(to: multiFactorInfo, pending)
        }
    }

    /// Sends a verification code to a second factor; see ``verifyPhoneNumber(with:uiDelegate:multiFactorSession:)``.
    public func verifyPhoneNumber(
        with multiFactorInfo: PhoneMultiFactorInfo,
        uiDelegate: (any AuthUIDelegate)? = nil,
        multiFactorSession: MultiFactorSession?,
        completion: AuthCompletion<String>?
    ) {
        complete(completion) {
            try await self.verifyPhoneNumber(with: multiFactorInfo, multiFactorSession: multiFactorSession)
        }
    }

    /// Returns the credential for a verification ID and the code that the user has entered, in digits of any script and
    /// with any separators.
    public func credential(withVerificationID verificationID: String, verificationCode: String) -> PhoneAuthCredential {
        PhoneAuthCredential(.phoneCode(verificationID: verificationID, code: PhoneSignIn.typedCode(verificationCode)))
    }

    /// The verification whose code the user has not entered yet, even if the app was restarted; nil if no code was sent
    /// or the code has expired. For second factors, see ``secondFactorInProgress``.
    public var verificationInProgress: VerificationInProgress? { auth.verificationInProgress }

    /// Sends the code of ``verificationInProgress`` again. The code stays the same while it is valid.
    ///
    /// - Returns: the verification ID to use from now on.
    /// - Throws: ``AuthErrorCode/missingVerificationID`` if no verification is in progress, or
    ///   ``AuthErrorCode/tooManyRequests`` before ``VerificationInProgress/resendAt``.
    public func resendCode() async throws -> String {
        guard let verification = verificationInProgress else { throw AuthErrorCode.missingVerificationID.error() }
        try requireWaitIsOver(verification)
        return try await verifyPhoneNumber(verification.phoneNumber)
    }

    /// The verification of a second factor whose code the user has not entered yet, even if the app was restarted; nil
    /// if no code was sent or the code has expired.
    public var secondFactorInProgress: SecondFactorInProgress? { auth.secondFactorInProgress }

    /// Sends the code of ``secondFactorInProgress`` again.
    ///
    /// - Returns: the verification ID to use from now on.
    /// - Throws: ``AuthErrorCode/missingVerificationID`` if no verification is in progress, or
    ///   ``AuthErrorCode/tooManyRequests`` before ``VerificationInProgress/resendAt``.
    public func resendSecondFactorCode() async throws -> String {
        guard let record = auth.secondFactorRecord else { throw AuthErrorCode.missingVerificationID.error() }
        try requireWaitIsOver(record.verification)
        switch record.purpose {
        case .signIn(let pending, let factorID):
            let hints = pending.factors.map(MultiFactorInfo.make)
            guard let hint = hints.first(where: { $0.uid == factorID }) as? PhoneMultiFactorInfo else {
                throw AuthErrorCode.missingMultiFactorInfo.error()
            }
            return try await verifyPhoneNumber(with: hint, multiFactorSession: MultiFactorSession(.signIn(pending)))
        case .enrollment(let uid):
            guard let user = auth.currentUser, user.uid == uid else { throw AuthErrorCode.nullUser.error() }
            return try await verifyPhoneNumber(
                record.verification.phoneNumber,
                multiFactorSession: MultiFactorSession(.enrollment(user))
            )
        }
    }

    private func requireWaitIsOver(_ verification: VerificationInProgress) throws {
        let wait = verification.resendAt.timeIntervalSince(auth.clock.now)
        // A longer wait means that a clock was changed.
        guard wait <= 0 || wait > VerificationInProgress.lifetime else {
            throw AuthErrorCode.tooManyRequests.error(
                "Another message can be sent in \(Int(wait.rounded(.up))) seconds.",
                ResponseDetails(retryAfter: wait.rounded(.up))
            )
        }
    }
}

/// The credential of a phone number: a verification ID and a verification code.
public final class PhoneAuthCredential: AuthCredential, @unchecked Sendable {
    // Proof of `@unchecked Sendable`: see AuthCredential. This class adds no property.

    init(_ kind: Kind) { super.init(provider: PhoneAuthProvider.id, kind) }

    /// The verification ID and the code of this credential; nil if it contains a temporary proof instead.
    var answer: (verificationID: String, code: String)? {
        guard case .phoneCode(let verificationID, let code) = kind else { return nil }
        return (verificationID, code)
    }
}
