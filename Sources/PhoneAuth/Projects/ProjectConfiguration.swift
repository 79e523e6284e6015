internal import Encodings

/// The operators' changes to a project while workers run; nil means as in the settings.
public struct ProjectConfiguration: Sendable, Equatable {
    /// Whether users may sign in by phone.
    var isPhoneSignInEnabled: Bool?
    /// Whether users may sign in with an e-mail address and a password.
    var isPasswordSignInEnabled: Bool?
    /// Whether users may sign in with a link by e-mail: the protocol's `passwordRequired`, negated.
    var allowsEmailLinks: Bool?
    /// Whether anonymous sign-in is enabled: an account without any proof.
    var isAnonymousSignInEnabled: Bool?
    /// Whether unused anonymous accounts are deleted.
    var deletesUnusedAnonymousUsers: Bool?
    /// The hosts that may serve sign-in pages.
    var authorizedDomains: [String]?
    /// Whether responses do not reveal which e-mail addresses have accounts (no user enumeration).
    var protectsEmails: Bool?
    /// The regions to which messages are sent.
    var smsRegions: SMSRegionPolicy?
    /// The change of the second-factor policy.
    var secondFactors: SecondFactorPolicyChange?
    /// The hook that is called before an account is created.
    var beforeCreate: ServiceURL?
    /// The hook that is called before a user gets tokens.
    var beforeSignIn: ServiceURL?
    /// The hook that is called before an account gets a second factor.
    var beforeSecondFactorEnrollment: ServiceURL?
    /// The credentials of identity providers that hooks receive. Sign-in with identity providers is not supported, so
    /// there are none.
    public var forwardedCredentials: InboundCredentials?
    /// A setting that the reference emulator's tests switch on. It has no effect: an address belongs to at most one
    /// account.
    public var allowsDuplicateEmails: Bool?

    /// Creates a configuration without changes.
    public init() {}
}

/// A choice of an identity provider's credentials; nil means not set.
public struct InboundCredentials: Sendable, Equatable {
    /// The ID token.
    public let idToken: Bool?
    /// The access token.
    public let accessToken: Bool?
    /// The refresh token.
    public let refreshToken: Bool?
}

extension Project {
    /// Returns the project with the operators' changes. Everything that operators cannot change is copied.
    func configured(by configuration: ProjectConfiguration) -> Project {
        var project = self
        // Domains that were read and sent back unchanged do not count as named.
        if let domains = configuration.authorizedDomains, domains != authorizedDomains {
            project.authorizedDomains = domains
            project.namedDomains = domains
        }
        project.isPhoneSignInEnabled = configuration.isPhoneSignInEnabled ?? isPhoneSignInEnabled
        project.isAnonymousSignInEnabled = configuration.isAnonymousSignInEnabled ?? isAnonymousSignInEnabled
        project.unusedAnonymousUsers = UnusedAnonymousUsers(
            areDeleted: configuration.deletesUnusedAnonymousUsers ?? unusedAnonymousUsers.areDeleted,
            after: unusedAnonymousUsers.after
        )
        project.isPasswordSignInEnabled = configuration.isPasswordSignInEnabled ?? isPasswordSignInEnabled
        project.allowsEmailLinks = configuration.allowsEmailLinks ?? allowsEmailLinks
        project.protectsEmails = configuration.protectsEmails ?? protectsEmails
        project.smsRegions = configuration.smsRegions ?? smsRegions
        project.secondFactors = configuration.secondFactors.map(secondFactors.changed) ?? secondFactors
        project.blockingHooks = BlockingHooks(
            beforeCreate: configuration.beforeCreate ?? blockingHooks.beforeCreate,
            beforeSignIn: configuration.beforeSignIn ?? blockingHooks.beforeSignIn,
            beforeSecondFactorEnrollment: configuration.beforeSecondFactorEnrollment
                ?? blockingHooks.beforeSecondFactorEnrollment
        )
        return project
    }
}
