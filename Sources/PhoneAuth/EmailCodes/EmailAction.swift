internal import Cryptography
public import Encodings
internal import MessageTexts
internal import RedisScripts

/// What a code that is sent by e-mail authorizes.
public struct EmailAction: Sendable, Confidential {
    /// What the code is for.
    public let kind: EmailActionKind
    /// The account's address; of a recovery, the former one.
    public let email: EmailAddress
    /// The address that a change gives to the account; of a recovery, the one that it takes away.
    public internal(set) var newEmail: EmailAddress?
    /// The account; nil if whoever reads the address's mail may act.
    private(set) var uid: String?
    /// The account's revocation counter when a change was requested: what ends all sessions also ends their changes.
    private(set) var revocation: Int64?
    /// The claim of the number that the account had when a notice was sent.
    var numberClaim: String?
    /// When the code was sent; milliseconds since the Unix epoch. Nil before that.
    var sentAt: Int64?

    /// The address that the e-mail is sent to.
    var recipient: EmailAddress { kind == .changeEmail ? newEmail ?? email : email }

    /// The maximum lifetime of codes.
    static let longestLifetime = EmailRecoveries.noticeLifetime

    func lifetime(under policy: Policy) -> Duration {
        switch kind {
        case .passwordReset, .signIn: policy.emailActionLifetime
        case .verifyEmail, .changeEmail: .seconds(3 * 86_400)
        case .recoverEmail: EmailRecoveries.noticeLifetime
        }
    }

    init(_ kind: EmailActionKind, of email: EmailAddress, uid: String? = nil, revocation: Int64? = nil) {
        self.kind = kind
        self.email = email
        self.uid = uid
        self.revocation = revocation
    }

    /// Reads the members that ``write(to:)`` has written.
    init?(_ object: JSONObject) {
        guard let kind = object["kind"]?.text.flatMap(EmailActionKind.init),
            let email = object["email"]?.text.flatMap({ EmailAddress($0) })
        else { return nil }
        self.init(kind, of: email, uid: object["uid"]?.text, revocation: object["revocation"]?.integer)
        numberClaim = object["numberClaim"]?.text
        newEmail = object["newEmail"]?.text.flatMap { EmailAddress($0) }
    }

    func write(to json: inout JSONWriter) {
        json.member("kind", kind.rawValue)
        json.member("email", email.text)
        if let newEmail { json.member("newEmail", newEmail.text) }
        if let uid { json.member("uid", uid) }
        if let numberClaim { json.member("numberClaim", numberClaim) }
        if let revocation { json.member("revocation", revocation) }
    }
}

/// The code in an e-mail: the protocol's `oobCode`. Redis knows only its hash; the outbox has it sealed.
public struct EmailCode: Sendable, Confidential {
    private static let byteCount = 24

    /// The code.
    public let text: String

    init(_ environment: Environment) {
        text = Base64URL.string(environment.randomBytes(Self.byteCount))
    }

    /// Parses a code; nil if the text cannot be one.
    public init?(_ text: String) {
        guard Base64URL.decode(text.utf8)?.count == Self.byteCount else { return nil }
        self.text = text
    }

    /// The code is random, so that a plain SHA-256 resists brute force.
    func identity(in project: Project) -> EmailCodeIdentity {
        EmailCodeIdentity(project: project.id, hash: Base64URL.string(SHA256.hash(Array(text.utf8))))
    }
}

/// The code of an e-mail action: SHA-256 of the code.
typealias EmailCodeIdentity = ProjectIdentity<IdentitySubject.EmailCode>

extension IdentitySubject {
    /// The code of an e-mail action.
    enum EmailCode: Sendable {}
}

/// Where action links lead, and what they pass on to the page.
public struct ActionLink: Sendable {
    /// The scheme and the host of the action page.
    public var origin: String
    let apiKey: String
    /// The client's preferred languages, unparsed.
    let locale: String
    /// Where the page's user continues afterwards.
    public var continueURL: String?
    /// Whether phones open the link in the app, if it has associated the path with itself.
    public var opensApp = false

    /// Describes action links.
    public init(origin: String, apiKey: String, locale: String) {
        self.origin = origin
        self.apiKey = apiKey
        self.locale = locale
    }

    /// Returns the link with a code. The official SDKs parse it.
    func text(_ kind: EmailActionKind, _ code: EmailCode) -> String {
        let language = LanguagePreferences([locale]).tags.first?.description ?? "en"
        let fields = [("mode", kind.mode), ("lang", language), ("oobCode", code.text), ("apiKey", apiKey)]
        return "\(origin)/__/auth/\(opensApp ? "links" : "action")?"
            + FormFields.encode(fields + (continueURL.map { [("continueUrl", $0)] } ?? []))
    }
}
