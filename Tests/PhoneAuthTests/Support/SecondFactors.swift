import Encodings
import RedisScripts
import Testing

@testable import PhoneAuth

extension Deployment {
    /// Returns the project with every first factor and with second factors enabled.
    func project(
        secondFactors state: SecondFactorPolicy.State,
        allowsSMS: Bool = true,
        adjacentIntervals: Int? = 1,
        hooks: BlockingHooks = .none
    ) -> Project {
        Project(
            id: projectWithEverything.id,
            authorizedDomains: projectWithEverything.authorizedDomains,
            isAnonymousSignInEnabled: true,
            isPasswordSignInEnabled: true,
            secondFactors: SecondFactorPolicy(
                state: state,
                allowsSMS: allowsSMS,
                adjacentIntervals: adjacentIntervals
            ),
            blockingHooks: hooks
        )
    }
}

extension AssignedSecondFactor {
    static let secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"

    /// A phone and an authenticator app, as an import assigns them.
    static var phoneAndApp: [AssignedSecondFactor] {
        [
            AssignedSecondFactor(
                .named("phone"),
                .phone(number: "+16505550161"),
                displayName: "Mine",
                enrolledAt: Instant(milliseconds: 1_600_000_000_001)
            ),
            AssignedSecondFactor(
                .named("app"),
                .totp(secret: secret),
                enrolledAt: Instant(milliseconds: 1_600_000_000_002)
            ),
        ]
    }
}

/// The outcome of a second-factor request, in a form that tests can compare.
enum SecondFactorOutcome: Equatable {
    case done
    case kindNotAllowed, firstFactorUnsupported, emailUnverified, signInTooOld, alreadyEnrolled, limitReached
    case factorUnknown, noFactor, pendingCredentialInvalid, answerWrong, enrollmentUnknown, blocked
    case notAuthenticated(LookupOutcome)
    case enrollmentEnded(used: Bool)
    case codeNotSent(String)
    case sessionUnknown, codeWrong, sessionEnded(used: Bool)
    case hook(HookOutcome)
    case failed(String)

    init(_ refusal: SecondFactorRefusal) {
        self =
            switch refusal {
            case .kindNotAllowed: .kindNotAllowed
            case .firstFactorUnsupported: .firstFactorUnsupported
            case .emailUnverified: .emailUnverified
            case .alreadyEnrolled: .alreadyEnrolled
            case .limitReached: .limitReached
            case .factorUnknown: .factorUnknown
            case .noFactor: .noFactor
            case .pendingCredentialInvalid: .pendingCredentialInvalid
            case .answerWrong: .answerWrong
            case .enrollmentUnknown: .enrollmentUnknown
            case .enrollmentEnded(let used): .enrollmentEnded(used: used)
            case .tooManyWrongAnswers: .blocked
            case .notAuthenticated(.signInTooOld): .signInTooOld
            case .notAuthenticated(let refusal): .notAuthenticated(LookupOutcome(refusal))
            case .codeNotSent(let refusal): .codeNotSent("\(refusal)")
            case .code(.sessionInfoUnknown): .sessionUnknown
            case .code(.codeWrong): .codeWrong
            case .code(.sessionEnded(let used, _)): .sessionEnded(used: used)
            case .failed(.blocked(let refusal)), .code(.failed(.blocked(let refusal))): .hook(HookOutcome(refusal))
            default: .failed("\(refusal)")
            }
    }
}

extension Authenticator {
    /// Runs an operation and returns its outcome.
    func outcome<Result>(_ operation: () throws(SecondFactorRefusal) -> Result) -> SecondFactorOutcome {
        do {
            _ = try operation()
            return .done
        } catch {
            return SecondFactorOutcome(error)
        }
    }
}

extension OperationContext {
    /// Signs up a user with a password and a verified e-mail address.
    func secondFactorUser(_ email: String = "ada@example.com") throws -> IssuedTokens {
        let tokens = try signUp(email, request: "sign-up-\(email)")
        var change = AccountChange()
        change.isEmailVerified = true
        _ = try changeAccount(uid: tokens.account.uid, change)
        return tokens
    }

    private func message(to number: String, client: Int) -> SendVerificationCodeRequest {
        SendVerificationCodeRequest(
            phoneNumber: number,
            credential: .absent,
            app: .web,
            client: .network(address: "192.0.2.\(client)", apiKey: "key"),
            locale: ""
        )
    }

    /// Opens a session to enroll a number as a second factor.
    func startEnrollment(_ number: String, _ idToken: String, client: Int = 1) throws(SecondFactorRefusal) -> String {
        let user = try enrollingUser(idToken: idToken, .sms)
        return try startPhoneEnrollment(of: user, message(to: number, client: client)).sessionInfo
    }

    func finishEnrollment(
        _ evidence: FinishSecondFactorEnrollmentRequest.Evidence,
        _ idToken: String,
        name: String? = nil,
        request: String = "enroll"
    ) throws(SecondFactorRefusal) -> IssuedTokens {
        let kind: SecondFactorPolicy.Kind = if case .phone = evidence { .sms } else { .totp }
        return try repeating(request).finishEnrollment(
            of: try enrollingUser(idToken: idToken, kind, toFinish: true),
            FinishSecondFactorEnrollmentRequest(evidence, displayName: name)
        )
    }

    /// Enrolls a number.
    func enroll(_ number: String, _ idToken: String, name: String? = nil) throws -> IssuedTokens {
        let session = try startEnrollment(number, idToken)
        return try finishEnrollment(
            .phone(sessionInfo: session, code: try code(of: session)),
            idToken,
            name: name,
            request: "enroll-\(session)"
        )
    }

    /// Enrolls an authenticator app.
    func enrollApp(_ idToken: String) throws -> (tokens: IssuedTokens, secret: TOTPSecret) {
        let user = try enrollingUser(idToken: idToken, .totp)
        let enrollment = try startTOTPEnrollment(of: user)
        let secret = try #require(TOTPEnrollmentTicket(enrollment.sessionInfo, for: user.identity, keys)).secret
        #expect(enrollment.secret == secret.base32)
        let tokens = try finishEnrollment(
            .totp(
                sessionInfo: enrollment.sessionInfo,
                code: secret.code(at: TOTPSecret.step(at: environment.now()))
            ),
            idToken,
            request: "enroll-\(enrollment.sessionInfo)"
        )
        return (tokens, secret)
    }

    /// Proves the first factor, which must require a second one.
    func challenge(
        _ email: String = "ada@example.com",
        password: String = "correct horse"
    ) throws -> SecondFactorChallenge {
        let request = SignInWithPasswordRequest(
            email: email,
            password: password,
            client: ClientDescription(networkAddress: "192.0.2.1")
        )
        return try #require(try repeating("first").signInWithPassword(request).challenge)
    }

    /// Requests a message to a phone that is a second factor.
    func startSecondFactor(
        _ id: String,
        _ challenge: SecondFactorChallenge,
        client: Int = 1
    ) throws(SecondFactorRefusal) -> String {
        try startSecondFactorSignIn(
            StartSecondFactorSignInRequest(
                pendingCredential: challenge.pendingCredential,
                secondFactorID: id,
                message: message(to: "", client: client)
            )
        ).sessionInfo
    }

    func finish(
        _ evidence: FinishSecondFactorSignInRequest.Evidence,
        _ challenge: SecondFactorChallenge,
        request: String = "second"
    ) throws(SecondFactorRefusal) -> IssuedTokens {
        try repeating(request).finishSecondFactorSignIn(
            FinishSecondFactorSignInRequest(
                pendingCredential: challenge.pendingCredential,
                evidence
            )
        )
    }
}
