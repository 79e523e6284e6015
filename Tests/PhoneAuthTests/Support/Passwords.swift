import Passwords
import RedisScripts
import Testing

@testable import PhoneAuth

/// Hashing threads with a cost that tests can afford.
enum TestPasswordHashing {
    static func make(passes: Int = 1) throws -> PasswordHashing {
        var configuration = PasswordHashingConfiguration(threads: 2, servingThreads: 64)
        configuration.parameters = try #require(Argon2idParameters(memoryKiB: 64, passes: passes, lanes: 1))
        configuration.patience = .seconds(60)
        return try PasswordHashing(configuration)
    }
}

/// The outcome of a sign-in with a password, in a form that tests can compare.
enum PasswordOutcome: Equatable {
    case signedIn(uid: String)
    case secondFactorRequired(uid: String)
    case credentialsInvalid, emailUnknown, passwordWrong, disabled, notOffered, emailInvalid
    case limited(RateLimit.Scope, retryAfter: Duration)
    case hook(HookOutcome)
    case failed(String)
}

extension OperationContext {
    func signUp(
        _ email: String,
        _ password: String = "correct horse",
        request: String = "sign-up"
    ) throws -> IssuedTokens {
        try repeating(request).signUpWithPassword(
            PasswordSignUpRequest(email: email, password: password, displayName: nil)
        )
    }

    func signIn(
        _ email: String,
        password: String,
        from address: String = "192.0.2.1",
        request id: String
    ) -> PasswordOutcome {
        let request = SignInWithPasswordRequest(
            email: email,
            password: password,
            client: ClientDescription(networkAddress: address)
        )
        do {
            switch try repeating(id).signInWithPassword(request) {
            case .signedIn(let tokens): return .signedIn(uid: tokens.account.uid)
            case .secondFactorRequired(let challenge): return .secondFactorRequired(uid: challenge.account.uid)
            }
        } catch {
            switch error {
            case .credentialsInvalid: return .credentialsInvalid
            case .emailUnknown: return .emailUnknown
            case .passwordWrong: return .passwordWrong
            case .accountDisabled: return .disabled
            case .passwordSignInDisabled: return .notOffered
            case .emailInvalid: return .emailInvalid
            case .tooManyWrongPasswords(let refusal):
                return .limited(refusal.exceeded.limit.scope, retryAfter: refusal.retryAfter)
            case .failed(.blocked(let refusal)): return .hook(HookOutcome(refusal))
            case .failed: return .failed("\(error)")
            }
        }
    }

    /// Gives the account of an ID token an e-mail address, a password, or both.
    @discardableResult func change(
        _ idToken: String,
        email: String? = nil,
        password: String? = nil
    ) throws -> UpdatedAccount {
        var request = UpdateAccountRequest(idToken: idToken)
        if let email { request.email = .set(email) }
        if let password { request.password = .set(password) }
        return try updateAccount(request)
    }
}

extension PasswordSignIn {
    /// The tokens of a sign-in without further requirements.
    var tokens: IssuedTokens? {
        guard case .signedIn(let tokens) = self else { return nil }
        return tokens
    }

    /// The response to a user who must prove a second factor.
    var challenge: SecondFactorChallenge? {
        guard case .secondFactorRequired(let challenge) = self else { return nil }
        return challenge
    }
}
