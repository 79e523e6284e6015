import Encodings
import PhoneAuth
import Synchronization
import Testing

/// Hooks without a network: the events they received, and the replies they give.
final class TestHooks: Sendable {
    /// An event that a hook received.
    struct Question: Sendable {
        let event: BlockingHookEvent
        let hook: ServiceURL
        let jwt: String
        let claims: JSONObject

        var uid: String { claims.text("sub") }
        var user: JSONObject { claims.object("user_record") }
    }

    typealias Answer = @Sendable (Question) -> BlockingHookReply

    private final class Desk: Sendable {
        let answer: Mutex<Answer>
        let questions = Mutex<[Question]>([])

        init(_ answer: @escaping Answer) { self.answer = Mutex(answer) }

        func post(_ request: BlockingHookRequest) -> BlockingHookReply {
            guard case .object(let body) = try? JSONValue.parse(request.body),
                let claims = try? Claims(body.object("data").text("jwt")),
                let event = BlockingHookEvent(rawValue: claims.payload.text("event_type"))
            else { return .unreachable("no event was sent") }
            let jwt = claims.parts.joined(separator: ".")
            let question = Question(event: event, hook: request.url, jwt: jwt, claims: claims.payload)
            questions.withLock { $0.append(question) }
            return answer.withLock { $0 }(question)
        }
    }

    /// The slots of all authenticators with these hooks.
    let slots: BlockingHookSlots
    private let desk: Desk

    init(maximum: Int = 64, ofProject: Int = 64, answer: @escaping Answer = { _ in .allowed }) {
        let desk = Desk(answer)
        self.desk = desk
        slots = BlockingHookSlots(maximum: maximum, maximumOfProject: ofProject) { desk.post($0) }
    }

    /// Sets the reply to all later events.
    func answer(_ answer: @escaping Answer) { desk.answer.withLock { $0 = answer } }

    /// Returns the events since the last call, in order.
    func asked() -> [Question] {
        desk.questions.withLock { questions in
            defer { questions = [] }
            return questions
        }
    }
}

extension BlockingHookReply {
    /// A reply that changes nothing.
    static let allowed = BlockingHookReply.answered(status: 200, body: Array("{}".utf8))

    /// Returns a reply that allows the sign-in and has these members of `userRecord`.
    static func changing(_ mask: String, _ members: String) -> BlockingHookReply {
        let record = #"{"userRecord":{"updateMask":"\#(mask)",\#(members)}}"#
        return .answered(status: 200, body: Array(record.utf8))
    }

    static func denied(_ message: String = "Not you.") -> BlockingHookReply {
        let error = #"{"error":{"message":"\#(message)","status":"PERMISSION_DENIED","details":"inside"}}"#
        return .answered(status: 403, body: Array(error.utf8))
    }
}

/// The way in which hooks prevented an operation, in a form that tests can compare.
enum HookOutcome: Equatable {
    case busy
    case denied(BlockingHookEvent, status: Int, explanation: String?)
    case failed(BlockingHookEvent, BlockingHookFault)

    init(_ refusal: BlockingHookRefusal) {
        switch refusal {
        case .busy: self = .busy
        case .denied(let denial):
            self = .denied(denial.event, status: denial.status, explanation: denial.explanation)
        case .failed(let fault, let event, _): self = .failed(event, fault)
        }
    }

    /// Returns the outcome of ``BlockingHookReply/denied(_:)``.
    static func denied(_ event: BlockingHookEvent, _ message: String = "Not you.") -> HookOutcome {
        let explanation = #"{"error":{"message":"\#(message)","status":"PERMISSION_DENIED"}}"#
        return .denied(event, status: 403, explanation: explanation)
    }
}

extension BlockingHooks {
    /// Returns all hooks, on a nonexistent host.
    static func example() throws -> BlockingHooks {
        BlockingHooks(
            beforeCreate: try ServiceURL("https://hooks.example.com/create?token=hidden"),
            beforeSignIn: try ServiceURL("https://hooks.example.com/sign-in?token=hidden"),
            beforeSecondFactorEnrollment: try ServiceURL("https://hooks.example.com/second-factor?token=hidden")
        )
    }
}

extension Deployment {
    /// Returns a deployment with high send limits, whose project has these hooks.
    static func withHooks(_ hooks: TestHooks) throws -> (Deployment, Authenticator, Project) {
        let (deployment, _) = try Deployment.ofManyMessages { $0.sendsPerNetworkPerHour = 1000 }
        return (deployment, deployment.authenticator(hooks: hooks), deployment.project(with: try .example()))
    }

    /// Returns the project with every first factor enabled, and with hooks.
    func project(with hooks: BlockingHooks) -> Project {
        Project(
            id: project.id,
            authorizedDomains: ["localhost"],
            isAnonymousSignInEnabled: true,
            isPasswordSignInEnabled: true,
            customTokenIssuers: .anyoneUnverified,
            blockingHooks: hooks
        )
    }
}

extension JSONObject {
    /// Returns the text of a member, or an empty text without the member.
    func text(_ name: String) -> String {
        guard case .string(let text) = self[name] else { return "" }
        return text
    }

    /// Returns the object of a member, or an empty object without the member.
    func object(_ name: String) -> JSONObject {
        guard case .object(let object) = self[name] else { return JSONObject() }
        return object
    }
}

/// Suites in which a user signs in by phone in a project with hooks.
protocol HookedSignInSuite {
    var authenticator: Authenticator { get }
    var project: Project { get }
    var number: String { get }
}

extension HookedSignInSuite {
    func signIn() throws -> SignInOutcome {
        authenticator.in(project).answer(try authenticator.in(project).answered(number))
    }

    /// Returns the account that has the number.
    func account() throws -> Account {
        try #require(try authenticator.in(project).accounts().values.first { $0.phoneNumber == number })
    }
}
