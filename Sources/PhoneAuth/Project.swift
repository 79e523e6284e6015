public import MessageTexts

/// A project as the operator configured it.
public struct Project: Hashable, Sendable {
    /// The id: audience of its tokens, part of its keys' names.
    public let id: String
    /// The number that some answers call the project by; the id where there is none.
    public let number: String
    /// Hosts that may carry its sign-in pages, the challenge page's first.
    public let authorizedDomains: [String]
    /// Its iOS apps.
    public let apps: [RegisteredApp]
    /// Its Android apps.
    public let androidApps: AndroidApps
    /// What its messages say.
    public let messages: MessageTemplates
    /// Whether its users may sign in by phone.
    public let isPhoneSignInEnabled: Bool
    /// Whether anybody may have an account without proving anything.
    public let isAnonymousSignInEnabled: Bool
    /// What becomes of anonymous accounts that no one uses any longer.
    public let unusedAnonymousUsers: UnusedAnonymousUsers
    /// Whether its users may sign in with an e-mail address and a password.
    public let isPasswordSignInEnabled: Bool
    /// Whether answers keep to themselves which e-mail addresses have accounts.
    public let protectsEmails: Bool
    /// Whether linking a first number, e-mail address or password demands a recent sign-in. Replacing one does in any
    /// case.
    public let linkingNeedsRecentSignIn: Bool
    /// Whose custom tokens it takes.
    public let customTokenIssuers: CustomTokenIssuers
    /// When numbers may have another holder by now; nil where that is not asked.
    public let recycledNumbers: RecycledNumberPolicy?
    /// To which regions it sends.
    public let smsRegions: SMSRegionPolicy
    /// Whether it sends to numbers that no region has assigned, and to those of no country (region 001).
    public let sendsToUnassignedNumbers: Bool
    /// Whether its users have second factors.
    public let secondFactors: SecondFactorPolicy
    /// Who is asked before accounts are made and users sign in.
    public let blockingHooks: BlockingHooks
    /// Whether a client that wants an anonymous account, or one with a password, must prove that it is one of the
    /// project's apps.
    public let requiresAppProofAtSignUp: Bool

    /// Describes a project.
    public init(
        id: String,
        number: String? = nil,
        authorizedDomains: [String],
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
        sendsToUnassignedNumbers: Bool = false,
        secondFactors: SecondFactorPolicy = SecondFactorPolicy(),
        blockingHooks: BlockingHooks = .none,
        requiresAppProofAtSignUp: Bool = false
    ) {
        self.id = id
        self.number = number ?? id
        self.authorizedDomains = authorizedDomains
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
        self.sendsToUnassignedNumbers = sendsToUnassignedNumbers
        self.secondFactors = secondFactors
        self.blockingHooks = blockingHooks
        self.requiresAppProofAtSignUp = requiresAppProofAtSignUp
    }

    /// The app with this bundle id.
    public func app(bundleID: String) -> RegisteredApp? {
        apps.first { $0.bundleID == bundleID }
    }
}
