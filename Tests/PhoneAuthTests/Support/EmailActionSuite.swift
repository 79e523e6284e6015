import Encodings
import Testing

@testable import PhoneAuth

/// Suites that request e-mails with action links, and use the codes in them.
protocol EmailActionSuite {
    var deployment: Deployment { get }
    var authenticator: Authenticator { get }
    var project: Project { get }
}

/// A deployment with another policy than its suite's.
struct OtherEmailActions: EmailActionSuite {
    let deployment: Deployment
    let authenticator: Authenticator
    let project: Project

    init(policy: (inout Policy) -> Void) throws {
        (deployment, authenticator, project) = try Deployment.withMails(policy: policy)
    }
}

extension Deployment {
    /// Returns the project with every first factor, links by e-mail and second factors enabled.
    func projectWithMails(protectsEmails: Bool = true, hooks: BlockingHooks = .none) -> Project {
        var project = Project(
            id: project.id,
            authorizedDomains: ["app.example.com"],
            isAnonymousSignInEnabled: true,
            isPasswordSignInEnabled: true,
            protectsEmails: protectsEmails,
            secondFactors: SecondFactorPolicy(state: .optional, allowsSMS: true, adjacentIntervals: 1),
            blockingHooks: hooks
        )
        project.allowsEmailLinks = true
        project.mailSender = EmailAddress("no-reply@example.com")
        return project
    }

    /// Returns a deployment in which accounts can have passwords, its authenticator and the project.
    static func withMails(
        hooks: TestHooks? = nil,
        policy: (inout Policy) -> Void = { _ in }
    ) throws -> (Deployment, Authenticator, Project) {
        let deployment = try Deployment { policy in
            policy.mailsPerProjectPerHour = 0
            policy.mailsPerProjectPerDay = 0
        }
        let authenticator = deployment.authenticator(
            passwordHashing: try TestPasswordHashing.make(),
            hooks: hooks,
            policy: policy
        )
        let hooks: BlockingHooks = hooks == nil ? .none : try .example()
        return (deployment, authenticator, deployment.projectWithMails(hooks: hooks))
    }
}

extension EmailActionSuite {
    static var link: ActionLink { ActionLink(origin: "https://app.example.com", apiKey: "key", locale: "de-AT,en") }

    /// Returns the operation of a user's request.
    func user(
        _ request: String = "r",
        from address: String = "192.0.2.1",
        in other: Project? = nil
    ) -> OperationContext {
        authenticator.operation(
            in: other ?? project,
            for: Requester(actor: .user, requestID: request, clientAddress: address)
        )
    }

    /// Requests an e-mail. Returns the response's address, or the refusal's name.
    @discardableResult
    func request(
        _ kind: EmailActionKind,
        _ email: String? = nil,
        newEmail: String? = nil,
        idToken: String? = nil,
        by operation: OperationContext? = nil
    ) -> String {
        var request = EmailActionRequest(kind, Self.link)
        request.email = email
        request.newEmail = newEmail
        request.idToken = idToken
        do {
            return try (operation ?? user()).requestEmailAction(request).email.text
        } catch {
            return "\(error)"
        }
    }

    /// Takes the queued e-mails.
    func mails() throws -> [PendingMail] {
        try authenticator.prepare(.mails)
        return try authenticator.take(PendingMail.self, for: "test", wait: .milliseconds(1))
    }

    /// Requests an e-mail and returns the code in it. The lock of an earlier one must be over.
    func code(
        _ kind: EmailActionKind,
        _ email: String? = nil,
        newEmail: String? = nil,
        idToken: String? = nil
    ) throws -> EmailCode {
        request(kind, email, newEmail: newEmail, idToken: idToken)
        return try #require(try mails().last?.code)
    }

    /// Returns the name of an operation's refusal; "done" if it succeeds.
    func refusal(_ operation: () throws(EmailActionRefusal) -> Void) -> String {
        do {
            try operation()
            return "done"
        } catch {
            return "\(error)"
        }
    }

    func reset(_ code: EmailCode, to password: String = "a new password", request: String) -> String {
        refusal { () throws(EmailActionRefusal) in _ = try user(request).resetPassword(code, to: password) }
    }

    func apply(_ code: EmailCode, request: String) -> String {
        refusal { () throws(EmailActionRefusal) in _ = try user(request).applyEmailAction(code, Self.link) }
    }

    /// Signs in with the code of a link.
    func signIn(
        _ email: String,
        _ code: EmailCode,
        idToken: String? = nil,
        request id: String
    ) throws(EmailActionRefusal) -> PasswordSignIn {
        var request = SignInWithEmailLinkRequest(
            email: email,
            code: code,
            client: ClientDescription(networkAddress: "192.0.2.1")
        )
        request.idToken = idToken
        request.recoveryLink = Self.link
        return try user(id).signInWithEmailLink(request)
    }

    /// Signs in with a link and returns the tokens.
    func signedIn(_ email: String, idToken: String? = nil, request: String) throws -> IssuedTokens {
        guard case .signedIn(let tokens) = try signIn(email, code(.signIn, email), idToken: idToken, request: request)
        else { throw EmailActionRefusal.notOffered }
        return tokens
    }

    /// Marks the address of an account as verified.
    func verify(_ uid: String) throws {
        var change = AccountChange()
        change.isEmailVerified = true
        _ = try authenticator.in(project).changeAccount(uid: uid, change)
    }

    func enrollSecondFactors(_ uid: String) throws {
        var change = AccountChange()
        change.secondFactors = AssignedSecondFactor.phoneAndApp
        _ = try authenticator.in(project).changeAccount(uid: uid, change)
    }

    /// Returns the outcome of looking an account up with an ID token.
    func lookUp(_ idToken: String) -> String {
        do {
            return try user().lookUpAccount(idToken: idToken).account.uid
        } catch {
            return "\(error)"
        }
    }

    func account(_ uid: String) throws -> Account? { try authenticator.in(project).accounts(uids: [uid]).first }
}

extension PendingMail {
    /// The code in the link.
    var code: EmailCode? {
        link.split { "?&".contains($0) }.first { $0.hasPrefix("oobCode=") }
            .flatMap { EmailCode(String($0.dropFirst("oobCode=".count))) }
    }
}
