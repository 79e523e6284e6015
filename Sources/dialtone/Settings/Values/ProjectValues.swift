import ChallengePages
import Encodings
import MessageTexts
import PhoneAuth
import PhoneNumbers
import PlayIntegrity
import RedisScripts

/// The settings of a project.
struct ProjectValues: SettingValues {
    /// Kinds of second factors.
    enum SecondFactorKind: String {
        case sms
        case totp
    }

    var apiKeys: [String]?
    var number: String?
    var issuer: String?
    var appName: String?
    var messageFile: String?
    var mailFile: String?
    var mailSender: EmailAddress?
    var authorizedDomains: [String]?
    var redirectURIs: [RedirectURI] = []
    var apps: [String] = []

    var isPhoneSignInEnabled = true
    var isAnonymousSignInEnabled: Bool
    var unusedAnonymousUsers = UnusedAnonymousUsers()
    var isPasswordSignInEnabled: Bool
    var allowsEmailLinks: Bool
    var protectsEmails: Bool
    var linkingNeedsRecentSignIn = true
    var serviceAccountFiles: [String] = []
    var sessionCookieName = SessionCookie.standardName
    /// Zero if numbers never count as recycled.
    var recycledNumberAge: Duration = .zero
    var recycledNumberAnswer = RecycledNumberRule.Answer.ask

    var secondFactors: SecondFactorPolicy.State
    var secondFactorKinds: [SecondFactorKind] = [.sms, .totp]
    var totpAdjacentIntervals = 1

    var requiresAppProofAtSignUp = false
    var requiresAppProofForTestNumbers = false
    var allowedRegions: Set<Region>?
    var disallowedRegions: Set<Region>?
    var unassignedNumbers = UnassignedNumbers.challenged

    var beforeCreateURL: String?
    var beforeSignInURL: String?
    var beforeSecondFactorEnrollmentURL: String?

    /// Nil for the proof of work.
    var challenge: ChallengeProvider.Kind?
    var challengeSiteKey: String?
    var challengeSecret: String?
    var challengeVerifyURL: String?

    var firebaseSessionsEnd: Instant?
    var firebaseAPIKey: String?
    var firebaseProjectID: String?
    var firebaseURL: String?

    /// Creates the defaults. In development mode, all sign-in methods are enabled, and responses reveal which e-mail
    /// addresses have accounts.
    init(mode: DeploymentMode) {
        let isDevelopment = mode == .development
        isAnonymousSignInEnabled = isDevelopment
        isPasswordSignInEnabled = isDevelopment
        allowsEmailLinks = isDevelopment
        protectsEmails = !isDevelopment
        secondFactors = isDevelopment ? .optional : .off
    }

    static let exampleID = "my-project"

    static let examplePrefix = SettingName.project(exampleID)
}

/// The settings of an iOS or Android app.
struct AppValues: SettingValues {
    var bundleID: String?
    var appID: String?
    var clientID: String?
    var apnsKeyFile: String?
    var apnsKeyID: String?
    var apnsTeamID: String?
    var apnsCertificateFile: String?
    var packageName: String?
    var retrieverHashes: [AppSignatureHash]?
    var integrityProjectNumber: UInt64?
    var certificateDigests: [CertificateDigest]?
    var integrityKeyFile: String?
    var integrityServiceAccountFile: String?
    var integrityVerdicts = IntegrityRequirements.standardVerdicts
    var integrityURL: String?

    init(mode: DeploymentMode) {}

    static let examplePrefix = ProjectValues.examplePrefix + "APP_"
}
