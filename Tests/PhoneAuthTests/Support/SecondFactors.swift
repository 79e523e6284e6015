import RedisStore
import Testing

@testable import PhoneAuth

extension Deployment {
    /// The project with every first factor, and second ones.
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

/// What came of a wish about second factors, in a form that tests compare.
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
    /// What comes of an operation.
    func outcome<Result>(_ operation: () throws(SecondFactorRefusal) -> Result) -> SecondFactorOutcome {
        do {
            _ = try operation()
            return .done
        } catch {
            return SecondFactorOutcome(error)
        }
    }

    /// A user with a password and a verified e-mail address, signed in just now.
    func secondFactorUser(_ email: String = "ada@example.com", in project: Project) throws -> IssuedTokens {
        let tokens = try signUp(email, request: "sign-up-\(email)", in: project)
        var change = AccountChange()
        change.isEmailVerified = true
        _ = try changeAccount(uid: tokens.account.uid, change, in: project)
        return tokens
    }

    private func message(to number: String, client: Int) -> SendVerificationCodeRequest {
        SendVerificationCodeRequest(
            phoneNumber: number,
            credential: .absent,
            bundleID: nil,
            client: .network(address: "192.0.2.\(client)", apiKey: "key"),
            locale: "",
            requestID: "r"
        )
    }

    /// Opens a session for a number that is to become a second factor.
    func startEnrollment(
        _ number: String,
        _ idToken: String,
        client: Int = 1,
        in project: Project
    ) throws(SecondFactorRefusal) -> String {
        let user = try enrollingUser(idToken: idToken, .phone, in: project)
        return try startPhoneEnrollment(of: user, message(to: number, client: client), in: project).sessionInfo
    }

    func finishEnrollment(
        _ evidence: FinishSecondFactorEnrollmentRequest.Evidence,
        _ idToken: String,
        name: String? = nil,
        request: String = "enroll",
        in project: Project
    ) throws(SecondFactorRefusal) -> IssuedTokens {
        let kind: SecondFactorRecord.Kind = if case .phone = evidence { .phone } else { .totp }
        return try finishEnrollment(
            of: try enrollingUser(idToken: idToken, kind, toFinish: true, in: project),
            FinishSecondFactorEnrollmentRequest(evidence, displayName: name, requestID: request),
            in: project
        )
    }

    /// Enrols a number.
    func enroll(_ number: String, _ idToken: String, name: String? = nil, in project: Project) throws -> IssuedTokens {
        let session = try startEnrollment(number, idToken, in: project)
        return try finishEnrollment(
            .phone(sessionInfo: session, code: try code(of: session, in: project)),
            idToken,
            name: name,
            request: "enroll-\(session)",
            in: project
        )
    }

    /// Enrols an authenticator app.
    func enrollApp(_ idToken: String, in project: Project) throws -> (tokens: IssuedTokens, secret: TOTPSecret) {
        let user = try enrollingUser(idToken: idToken, .totp, in: project)
        let enrollment = try startTOTPEnrollment(of: user, in: project)
        let secret = try #require(TOTPEnrollmentTicket(enrollment.sessionInfo, for: user.identity, keys)).secret
        #expect(enrollment.secret == secret.base32)
        let tokens = try finishEnrollment(
            .totp(
                sessionInfo: enrollment.sessionInfo,
                code: secret.code(at: TOTPSecret.step(at: environment.now()))
            ),
            idToken,
            request: "enroll-\(enrollment.sessionInfo)",
            in: project
        )
        return (tokens, secret)
    }

    /// Proves the first factor, which must ask for a second one.
    func challenge(
        _ email: String = "ada@example.com",
        password: String = "correct horse",
        in project: Project
    ) throws -> SecondFactorChallenge {
        let request = SignInWithPasswordRequest(
            email: email,
            password: password,
            client: ClientDescription(networkAddress: "192.0.2.1"),
            requestID: "first"
        )
        return try #require(try signInWithPassword(request, in: project).challenge)
    }

    /// Has a phone texted that is a second factor.
    func startSecondFactor(
        _ id: String,
        _ challenge: SecondFactorChallenge,
        client: Int = 1,
        in project: Project
    ) throws(SecondFactorRefusal) -> String {
        try startSecondFactorSignIn(
            StartSecondFactorSignInRequest(
                pendingCredential: challenge.pendingCredential,
                secondFactorID: id,
                message: message(to: "", client: client)
            ),
            in: project
        ).sessionInfo
    }

    func finish(
        _ evidence: FinishSecondFactorSignInRequest.Evidence,
        _ challenge: SecondFactorChallenge,
        request: String = "second",
        in project: Project
    ) throws(SecondFactorRefusal) -> IssuedTokens {
        try finishSecondFactorSignIn(
            FinishSecondFactorSignInRequest(
                pendingCredential: challenge.pendingCredential,
                evidence,
                requestID: request
            ),
            in: project
        )
    }
}
