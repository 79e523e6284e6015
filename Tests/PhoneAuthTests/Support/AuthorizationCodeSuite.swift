import RedisScripts
import Testing

@testable import PhoneAuth

/// Suites in which the sign-in page hands over a session to an app with a one-time code.
protocol AuthorizationCodeSuite {
    var deployment: Deployment { get }
    var authenticator: Authenticator { get }
    var project: Project { get }
    var signedIn: SignedIn { get }
}

enum ProofKeyExample {
    /// RFC 7636, appendix B.
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
}

/// The outcome of an exchange, in a form that tests can compare.
enum ExchangeOutcome: Equatable {
    case exchanged(uid: String)
    case unknown, reused, ended, disabled, noAccount, secondFactorMissing
    case mismatch(AuthorizationCodeTerms.Term)
    case failed(String)
}

extension AuthorizationCodeSuite {
    static var redirectURI: String { "https://app.example.com/signed-in" }
    static var verifier: String { ProofKeyExample.verifier }
    static var challenge: String { ProofKeyExample.challenge }

    /// Creates a deployment with a project that has the redirect URI, and signs in a user.
    static func deploy() throws -> (Deployment, Authenticator, Project, SignedIn) {
        let deployment = try Deployment()
        let authenticator = deployment.authenticator()
        let project = Project(
            id: "demo-app",
            authorizedDomains: [],
            redirectURIs: [try #require(RedirectURI(redirectURI))]
        )
        return (deployment, authenticator, project, try authenticator.in(project).signIn("+16505550171"))
    }

    func issue(idToken: String? = nil, clientID: String = "key") throws -> String {
        let uri = try #require(project.redirectURI(Self.redirectURI, acceptsLoopback: false))
        return try authenticator.in(project).issueAuthorizationCode(
            idToken: idToken ?? signedIn.idToken,
            clientID: clientID,
            redirectURI: uri,
            challenge: try #require(CodeChallenge(Self.challenge))
        ).text
    }

    func issueOutcome(idToken: String? = nil) throws -> LookupOutcome {
        do {
            _ = try issue(idToken: idToken)
            return .found(uid: signedIn.uid)
        } catch let refusal as IDTokenRefusal {
            return LookupOutcome(refusal)
        }
    }

    static func exchange(
        _ code: String,
        with operation: OperationContext,
        clientID: String = "key",
        redirectURI: String = Self.redirectURI,
        verifier: String = Self.verifier
    ) -> (ExchangeOutcome, RefreshedToken?) {
        guard let verifier = CodeVerifier(verifier) else { return (.failed("verifier"), nil) }
        do {
            let tokens = try operation.exchangeAuthorizationCode(
                code,
                clientID: clientID,
                redirectURI: redirectURI,
                verifier: verifier
            )
            return (.exchanged(uid: tokens.uid), tokens)
        } catch {
            switch error {
            case .codeUnknown: return (.unknown, nil)
            case .codeReused: return (.reused, nil)
            case .mismatch(let term): return (.mismatch(term), nil)
            case .sessionEnded: return (.ended, nil)
            case .accountDisabled: return (.disabled, nil)
            case .accountUnknown: return (.noAccount, nil)
            case .secondFactorMissing: return (.secondFactorMissing, nil)
            case .failed: return (.failed("\(error)"), nil)
            }
        }
    }

    func exchange(
        _ code: String,
        request: String = "1",
        clientID: String = "key",
        redirectURI: String = Self.redirectURI,
        verifier: String = Self.verifier
    ) -> ExchangeOutcome {
        let operation = authenticator.in(project, request: request)
        return Self.exchange(
            code,
            with: operation,
            clientID: clientID,
            redirectURI: redirectURI,
            verifier: verifier
        ).0
    }
}
