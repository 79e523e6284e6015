public import Foundation

/// A user's second factors.
public final class MultiFactor: Sendable {
    private let user: User

    init(_ user: User) { self.user = user }

    /// The enrolled factors.
    public var enrolledFactors: [MultiFactorInfo] { user.account.factors.map(MultiFactorInfo.make) }

    /// Returns a session for an enrollment.
    public func session() async throws -> MultiFactorSession { MultiFactorSession(.enrollment(user)) }

    /// Passes a session for an enrollment to a completion handler.
    public func getSessionWithCompletion(_ completion: AuthCompletion<MultiFactorSession>?) {
        complete(completion) { try await self.session() }
    }

    /// Enrolls a factor.
    ///
    /// - Parameters:
    ///   - assertion: the proof of the factor.
    ///   - displayName: the name that the user gives to the factor.
    /// - Throws: an error whose code is an ``AuthErrorCode``.
    public func enroll(with assertion: MultiFactorAssertion, displayName: String?) async throws {
        var fields = JSONFields(["displayName": displayName])
        switch assertion.kind {
        case .phone(let credential): fields["phoneVerificationInfo"] = .fields(try credential.verificationInfo())
        case .totpEnrollment(let secret, let code):
            fields["totpVerificationInfo"] = .fields(
                JSONFields(["sessionInfo": secret.sessionInfo, "verificationCode": code])
            )
        case .totpSignIn:
            throw AuthErrorCode.invalidMultiFactorSession.error(
                "The assertion is for a sign-in, not for an enrollment."
            )
        }
        let form = fields
        try await runToEnd { [user] in
            let path = "/v2/accounts/mfaEnrollment:finalize"
            try await self.finish(user.post(path, form, key: assertion.key, as: SignInResponse.self))
            user.auth?.secondFactorEnded(by: assertion)
        }
    }

    /// Enrolls a factor; see ``enroll(with:displayName:)``.
    public func enroll(with assertion: MultiFactorAssertion, displayName: String?, completion: AuthErrorCompletion?) {
        complete(completion) { try await self.enroll(with: assertion, displayName: displayName) }
    }

    /// Removes an enrolled factor.
    public func unenroll(with factorInfo: MultiFactorInfo) async throws {
        try await unenroll(withFactorUID: factorInfo.uid)
    }

    /// Removes an enrolled factor.
    public func unenroll(with factorInfo: MultiFactorInfo, completion: AuthErrorCompletion?) {
        complete(completion) { try await self.unenroll(with: factorInfo) }
    }

    /// Removes an enrolled factor by its ID.
    public func unenroll(withFactorUID factorUID: String) async throws {
        try await runToEnd { [user] in
            try await self.finish(
                user.post(
                    "/v2/accounts/mfaEnrollment:withdraw",
                    JSONFields(["mfaEnrollmentId": factorUID]),
                    as: SignInResponse.self
                )
            )
        }
    }

    /// Removes an enrolled factor by its ID.
    public func unenroll(withFactorUID factorUID: String, completion: AuthErrorCompletion?) {
        complete(completion) { try await self.unenroll(withFactorUID: factorUID) }
    }

    private func finish(_ response: SignInResponse) async throws {
        if let idToken = response.idToken, let refreshToken = response.refreshToken {
            try await user.finish(Tokens(idToken: idToken, refreshToken: refreshToken))
        } else {
            try await user.fetchAccountIfPossible()
        }
    }
}

extension PhoneAuthCredential {
    /// Returns the fields of the second factor's proof.
    fileprivate func verificationInfo() throws -> JSONFields {
        guard let answer else { throw AuthErrorCode.missingVerificationID.error() }
        guard !answer.verificationID.isEmpty else { throw AuthErrorCode.missingVerificationID.error() }
        guard !answer.code.isEmpty else { throw AuthErrorCode.missingVerificationCode.error() }
        return JSONFields(["sessionInfo": answer.verificationID, "code": answer.code])
    }
}

/// A resolver that continues a sign-in that requires a second factor.
public final class MultiFactorResolver: NSObject, Sendable {
    /// The session of the sign-in.
    public let session: MultiFactorSession
    /// The user's second factors, one of which the user must prove.
    public let hints: [MultiFactorInfo]
    /// The ``Auth`` of the sign-in.
    public let auth: Auth
    private let pending: PendingSignIn
    private let signedIn: SignedIn
    /// Receives the tokens, and the number of sign-outs when the second step began.
    typealias SignedIn = @Sendable (_ tokens: Tokens, _ signOuts: Int) async throws -> AuthDataResult

    init(
        _ auth: Auth,
        _ pending: PendingSignIn,
        _ signedIn: @escaping SignedIn
    ) {
        self.auth = auth
        self.pending = pending
        hints = pending.factors.map(MultiFactorInfo.make)
        self.signedIn = signedIn
        session = MultiFactorSession(.signIn(pending))
    }

    /// Signs in with the proof of a second factor. After a wrong code, it can be called again.
    @discardableResult public func resolveSignIn(with assertion: MultiFactorAssertion) async throws -> AuthDataResult {
        try await resolve(assertion, since: auth.signOuts)
    }

    private func resolve(_ assertion: MultiFactorAssertion, since signOuts: Int) async throws -> AuthDataResult {
        var fields = JSONFields(["mfaPendingCredential": pending.credential])
        switch assertion.kind {
        case .phone(let credential): fields["phoneVerificationInfo"] = .fields(try credential.verificationInfo())
        case .totpSignIn(let enrollmentID, let code):
            fields["mfaEnrollmentId"] = .text(enrollmentID)
            fields["totpVerificationInfo"] = .fields(JSONFields(["verificationCode": code]))
        case .totpEnrollment:
            throw AuthErrorCode.invalidMultiFactorSession.error(
                "The assertion is for an enrollment, not for a sign-in."
            )
        }
        let form = fields
        return try await runToEnd { [auth] in
            let path = "/v2/accounts/mfaSignIn:finalize"
            let response = try await auth.post(path, form, key: assertion.key, as: SignInResponse.self)
            guard let idToken = response.idToken, let refreshToken = response.refreshToken else {
                throw AuthErrorCode.internalError.error("The server's response has no tokens.")
            }
            let result = try await self.signedIn(Tokens(idToken: idToken, refreshToken: refreshToken), signOuts)
            auth.secondFactorEnded(by: assertion)
            return result
        }
    }

    /// Signs in with the proof of a second factor; see ``resolveSignIn(with:)``.
    public func resolveSignIn(with assertion: MultiFactorAssertion, completion: AuthCompletion<AuthDataResult>? = nil) {
        let signOuts = auth.signOuts
        complete(completion) { try await self.resolve(assertion, since: signOuts) }
    }
}

extension MultiFactorResolver: CustomReflectable {
    /// Empty, because secrets must not reach logs.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
