public import Encodings
public import RedisStore

/// What operators changed of a project while workers run. What is nil is as the settings say.
public struct ProjectConfiguration: Sendable, Equatable {
    /// Whether users may sign in by phone.
    public var isPhoneSignInEnabled: Bool?
    /// Whether users may sign in with an e-mail address and a password.
    public var isPasswordSignInEnabled: Bool?
    /// Whether anybody may have an account without proving anything.
    public var isAnonymousSignInEnabled: Bool?
    /// Whether anonymous accounts that no one uses any longer are deleted.
    public var deletesUnusedAnonymousUsers: Bool?
    /// Hosts that may carry sign-in pages.
    public var authorizedDomains: [String]?
    /// Whether answers keep to themselves which e-mail addresses have accounts.
    public var protectsEmails: Bool?
    /// To which regions messages are sent.
    public var smsRegions: SMSRegionPolicy?
    /// Whether users have second factors.
    public var secondFactors: SecondFactorPolicyChange?
    /// Who is asked before an account is made.
    public var beforeCreate: ServiceURL?
    /// Who is asked before a user gets tokens.
    public var beforeSignIn: ServiceURL?
    /// Who is asked before an account gets a second factor.
    public var beforeSecondFactorEnrollment: ServiceURL?
    /// Which credentials of identity providers hooks are to get. No user signs in with an identity provider, so there
    /// are none.
    public var forwardedCredentials: InboundCredentials?
    /// What the reference emulator's tests may switch on. It changes nothing: an address is one account's in any case.
    public var allowsDuplicateEmails: Bool?

    /// A configuration that changes nothing.
    public init() {}
}

/// A choice among an identity provider's credentials; nil is not set.
public struct InboundCredentials: Sendable, Equatable {
    /// The ID token.
    public let idToken: Bool?
    /// The access token.
    public let accessToken: Bool?
    /// The refresh token.
    public let refreshToken: Bool?
}

extension Project {
    /// The project with what operators changed of it.
    func configured(by configuration: ProjectConfiguration) -> Project {
        Project(
            id: id,
            number: number,
            authorizedDomains: configuration.authorizedDomains ?? authorizedDomains,
            apps: apps,
            androidApps: androidApps,
            messages: messages,
            isPhoneSignInEnabled: configuration.isPhoneSignInEnabled ?? isPhoneSignInEnabled,
            isAnonymousSignInEnabled: configuration.isAnonymousSignInEnabled ?? isAnonymousSignInEnabled,
            unusedAnonymousUsers: UnusedAnonymousUsers(
                areDeleted: configuration.deletesUnusedAnonymousUsers ?? unusedAnonymousUsers.areDeleted,
                after: unusedAnonymousUsers.after
            ),
            isPasswordSignInEnabled: configuration.isPasswordSignInEnabled ?? isPasswordSignInEnabled,
            protectsEmails: configuration.protectsEmails ?? protectsEmails,
            linkingNeedsRecentSignIn: linkingNeedsRecentSignIn,
            customTokenIssuers: customTokenIssuers,
            recycledNumbers: recycledNumbers,
            smsRegions: configuration.smsRegions ?? smsRegions,
            sendsToUnassignedNumbers: sendsToUnassignedNumbers,
            secondFactors: configuration.secondFactors.map(secondFactors.changed) ?? secondFactors,
            blockingHooks: BlockingHooks(
                beforeCreate: configuration.beforeCreate ?? blockingHooks.beforeCreate,
                beforeSignIn: configuration.beforeSignIn ?? blockingHooks.beforeSignIn,
                beforeSecondFactorEnrollment: configuration.beforeSecondFactorEnrollment
                    ?? blockingHooks.beforeSecondFactorEnrollment
            ),
            requiresAppProofAtSignUp: requiresAppProofAtSignUp
        )
    }
}

extension Authenticator {
    /// Returns the project with what operators have changed of it, at most as old as ``StoreCaches`` allows.
    ///
    /// The cache has the changes only: a request asks for settings of a project that is configured already, and what
    /// operators changed back would stay in a project that is configured twice.
    /// - Throws: ``StoreUnavailable``.
    public func configured(_ project: Project) throws(StoreUnavailable) -> Project {
        try settings(of: project).configuration.map(project.configured) ?? project
    }
}
