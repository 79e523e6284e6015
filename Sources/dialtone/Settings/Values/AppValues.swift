import MessageTexts
import PhoneAuth
import PlayIntegrity

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
