public import MessageTexts

/// A project as the operator configured it.
public struct Project: Hashable, Sendable {
    /// The project id: the audience of the project's tokens and part of its keys' names.
    public let id: String
    /// The project number, which some responses use; the id if there is no number.
    public let number: String
    /// The issuer of the project's ID tokens; nil for the one that Firebase's Admin SDKs expect.
    public let ownIssuer: TokenIssuer?
    /// The name of the cookie in which the project's web apps keep session cookies.
    public let sessionCookieName: String
    /// The hosts that may serve the project's sign-in pages; the challenge page's host is first.
    public internal(set) var authorizedDomains: [String]
    /// The authorized domains that an operator named: empty for the default ones. Only these receive tokens, because a
    /// default domain may belong to someone else: anyone can register a subdomain of `firebaseapp.com`.
    public internal(set) var namedDomains: [String]
    /// Where the sign-in page may send users with an authorization code.
    let redirectURIs: [RedirectURI]
    /// Its iOS apps.
    public let apps: [RegisteredApp]
    /// Its Android apps.
    public let androidApps: AndroidApps
    /// The texts of the project's messages.
    let messages: MessageTemplates
    /// The texts of the project's mails.
    public var mails = MailTemplates.nameless
    /// The address that the project's mails are from; nil if the deployment sends no mails.
    public var mailSender: EmailAddress?
    /// Whether users may sign in by phone.
    public internal(set) var isPhoneSignInEnabled: Bool
    /// Whether anyone may create an account without proving anything.
    public internal(set) var isAnonymousSignInEnabled: Bool
    /// What happens to unused anonymous accounts.
    public internal(set) var unusedAnonymousUsers: UnusedAnonymousUsers
    /// Whether users may sign in with an e-mail address and a password.
    public internal(set) var isPasswordSignInEnabled: Bool
    /// Whether the operator allows sign-in with a link by e-mail, where users may sign in with their address at all.
    public var allowsEmailLinks = false
    /// Whether users may sign in with a link by e-mail.
    public var isEmailLinkSignInEnabled: Bool { isPasswordSignInEnabled && allowsEmailLinks }
    /// Whether responses hide which e-mail addresses have accounts (protection against user enumeration).
    public internal(set) var protectsEmails: Bool
    /// Whether linking a first number, e-mail address or password requires a recent sign-in. Replacing one always does.
    public let linkingNeedsRecentSignIn: Bool
    /// The issuers whose custom tokens are accepted.
    public let customTokenIssuers: CustomTokenIssuers
    /// When numbers may have been recycled; nil if that is not checked.
    public let recycledNumbers: RecycledNumberPolicy?
    /// The regions that verification codes are sent to.
    public internal(set) var smsRegions: SMSRegionPolicy
    /// What happens to numbers that are not in the numbering data.
    public let unassignedNumbers: UnassignedNumbers
    /// Whether users have second factors (MFA).
    public internal(set) var secondFactors: SecondFactorPolicy
    /// The blocking hooks that are called before accounts are created and users sign in.
    public internal(set) var blockingHooks: BlockingHooks
    /// Whether a client that requests an anonymous account, or an account with a password, must prove that it is one of
    /// the project's apps.
    public let requiresAppProofAtSignUp: Bool
    /// Whether a send to a test number needs the same app proof as one to any other number.
    let requiresAppProofForTestNumbers: Bool

    /// Creates a project. Default domains do not count as named by an operator.
    public init(
        id: String,
        number: String? = nil,
        ownIssuer: TokenIssuer? = nil,
        sessionCookieName: String = SessionCookie.standardName,
        authorizedDomains: [String],
        hasDefaultDomains: Bool = false,
        redirectURIs: [RedirectURI] = [],
        apps: [RegisteredApp] = [],
        androidApps: AndroidApps = .registered([]),
        messages: MessageTemplates = .nameless,
        isPhoneSignInEnabled: Bool = true,
        isAnonymousSignInEnabled: Bool = false,
        unusedAnonymousUsers: UnusedAnonymousUsers = UnusedAnonymousUsers(),
        isPasswordSignInEnabled: Bool = false,
        protectsEmails: Bool = true,
        linkingNeedsRecentSignIn: Bool = true,
        customTokenIssuers: CustomTokenIssuers = .serviceAccounts([]),
        recycledNumbers: RecycledNumberPolicy? = nil,
        smsRegions: SMSRegionPolicy = .everywhere,
        unassignedNumbers: UnassignedNumbers = .challenged,
        secondFactors: SecondFactorPolicy = SecondFactorPolicy(),
        blockingHooks: BlockingHooks = .none,
        requiresAppProofAtSignUp: Bool = false,
        requiresAppProofForTestNumbers: Bool = false
    ) {
        self.id = id
        self.number = number ?? id
        self.ownIssuer = ownIssuer
        self.sessionCookieName = sessionCookieName
        self.authorizedDomains = authorizedDomains
        namedDomains = hasDefaultDomains ? [] : authorizedDomains
        self.redirectURIs = redirectURIs
        self.apps = apps
        self.androidApps = androidApps
        self.messages = messages
        self.isPhoneSignInEnabled = isPhoneSignInEnabled
        self.isAnonymousSignInEnabled = isAnonymousSignInEnabled
        self.unusedAnonymousUsers = unusedAnonymousUsers
        self.isPasswordSignInEnabled = isPasswordSignInEnabled
        self.protectsEmails = protectsEmails
        self.linkingNeedsRecentSignIn = linkingNeedsRecentSignIn
        self.customTokenIssuers = customTokenIssuers
        self.recycledNumbers = recycledNumbers
        self.smsRegions = smsRegions
        self.unassignedNumbers = unassignedNumbers
        self.secondFactors = secondFactors
        self.blockingHooks = blockingHooks
        self.requiresAppProofAtSignUp = requiresAppProofAtSignUp
        self.requiresAppProofForTestNumbers = requiresAppProofForTestNumbers
    }

    /// Returns the app with this bundle id.
    func app(bundleID: String) -> RegisteredApp? {
        apps.first { $0.bundleID.text == bundleID }
    }
}
