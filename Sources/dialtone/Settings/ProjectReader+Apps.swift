import Encodings
import MessageTexts
import PhoneAuth
import PlayIntegrity

extension ProjectReader {
    /// Returns the project's iOS apps, without those that have faults.
    func iOSApps() -> [RegisteredApp] {
        var apps: [RegisteredApp] = []
        for reader in self.apps where !reader.isAndroid {
            reader.refuse(
                [\.retrieverHashes, \.integrityProjectNumber] + AppValues.settingsOfIntegrity,
                "an iOS app has no such setting; remove it"
            )
            guard let app = reader.collect(try reader.iOSApp(besides: apps)) else { continue }
            apps.append(app)
        }
        return apps
    }

    /// Returns the project's Android apps, without those that have faults. In development mode, a project need not
    /// register its apps.
    func androidApps(mode: DeploymentMode) -> AndroidApps {
        var apps: [AndroidApp] = []
        for reader in self.apps where reader.isAndroid {
            reader.refuse(
                [
                    \.bundleID, \.appID, \.clientID, \.apnsKeyFile, \.apnsKeyID, \.apnsTeamID, \.apnsCertificateFile,
                ],
                "an Android app has no such setting; remove it"
            )
            guard let app = reader.collect(try reader.androidApp(besides: apps)) else { continue }
            apps.append(app)
        }
        return mode == .development && apps.isEmpty ? .anyUnverified : .registered(apps)
    }
}

extension SettingsReader<AppValues> {
    /// Whether the app is an Android app; only Android apps have a package name.
    fileprivate var isAndroid: Bool { isSet(\.packageName) }

    fileprivate func androidApp(besides others: [AndroidApp]) throws(FaultySetting) -> AndroidApp {
        let packageName = try required(\.packageName)
        guard !others.contains(where: { $0.packageName == packageName }) else {
            throw fault(\.packageName, .because("another app has this package name"))
        }
        let hashes = self.retrieverHashes ?? []
        let app = AndroidApp(
            name: owner,
            packageName: packageName,
            retrieverHashes: hashes,
            integrityProjectNumber: self.integrityProjectNumber
        )
        guard let app else { throw fault(\.packageName, .isNot("a package name, such as com.example.app")) }
        return app
    }

    fileprivate func iOSApp(besides others: [RegisteredApp]) throws(FaultySetting) -> RegisteredApp {
        let hasPush = collect(try apnsCredential() != nil) ?? false
        let bundleID = try required(\.bundleID)
        guard !others.contains(where: { $0.bundleID.text == bundleID }) else {
            throw fault(\.bundleID, .because("another app has this bundle ID"))
        }
        do throws(RegisteredAppError) {
            return try RegisteredApp(
                name: owner,
                bundleID: bundleID,
                appID: self.appID,
                clientID: self.clientID,
                hasPush: hasPush
            )
        } catch {
            switch error {
            case .bundleID: throw fault(\.bundleID, .isNot("letters, digits, dashes and dots"))
            case .appID: throw fault(\.appID, .isNot("a Google app ID, such as 1:123:ios:abc"))
            case .clientID:
                throw fault(\.clientID, .isNot("a client ID, such as 123-abc.apps.googleusercontent.com"))
            }
        }
    }

    /// Returns the app's APNs credential; nil if it has none.
    func apnsCredential() throws(FaultySetting) -> APNsCredentialSetting? {
        if let certificate = self.apnsCertificateFile {
            guard self.apnsKeyFile == nil else {
                let key = name(of: \.apnsKeyFile)
                throw fault(\.apnsCertificateFile, .because("\(key) is set, too; remove one of them"))
            }
            let name = name(of: \.apnsCertificateFile)
            refuse([\.apnsKeyID, \.apnsTeamID], "has no effect because \(name) is set; remove it")
            return .certificate(file: certificate)
        }
        guard let keyFile = self.apnsKeyFile else {
            let name = name(of: \.apnsKeyFile)
            refuse([\.apnsKeyID, \.apnsTeamID], "has no effect because \(name) is not set; set it, or remove this")
            return nil
        }
        return .tokenKey(file: keyFile, keyID: try required(\.apnsKeyID), teamID: try required(\.apnsTeamID))
    }
}

extension [ProjectReader] {
    /// Returns the Android apps that prove themselves with Play Integrity, without those that have faults.
    func playIntegrity() -> [PlayIntegritySetting] {
        var settings: [PlayIntegritySetting] = []
        for reader in self {
            for app in reader.apps where app.isSet(\.packageName) {
                guard let setting = app.collect(try app.playIntegrity(of: reader.id)) ?? nil else { continue }
                settings.append(setting)
            }
        }
        return settings
    }
}

extension AppValues {
    /// The settings that have an effect only if a project number for Play Integrity is set.
    static var settingsOfIntegrity: [PartialKeyPath<AppValues>] {
        [
            \.certificateDigests, \.integrityKeyFile, \.integrityServiceAccountFile, \.integrityVerdicts,
            \.integrityURL,
        ]
    }
}

extension SettingsReader<AppValues> {
    /// Returns how the app's tokens are verified; nil if it does not use Play Integrity.
    fileprivate func playIntegrity(of projectID: String) throws(FaultySetting) -> PlayIntegritySetting? {
        try check(\.integrityProjectNumber)
        guard self.integrityProjectNumber != nil else {
            let name = name(of: \.integrityProjectNumber)
            refuse(AppValues.settingsOfIntegrity, "has no effect because \(name) is not set; set it, or remove this")
            return nil
        }
        let requirements = IntegrityRequirements(
            certificateDigests: try required(\.certificateDigests),
            verdicts: self.integrityVerdicts
        )
        return PlayIntegritySetting(
            projectID: projectID,
            packageName: try required(\.packageName),
            requirements: requirements,
            decoding: try integrityDecoding()
        )
    }

    private func integrityDecoding() throws(FaultySetting) -> PlayIntegritySetting.Decoding {
        switch (self.integrityKeyFile, self.integrityServiceAccountFile) {
        case (let file?, nil):
            let name = name(of: \.integrityKeyFile)
            refuse([\.integrityURL], "has no effect because \(name) is set; remove one of them")
            return .keys(file: file)
        case (nil, let file?):
            return .serviceAccount(file: file, server: try integrityServer())
        case (.some, .some):
            let name = name(of: \.integrityKeyFile)
            throw fault(\.integrityServiceAccountFile, .because("\(name) is set, too; remove one of them"))
        case (nil, nil):
            let other = name(of: \.integrityServiceAccountFile)
            throw missing(\.integrityKeyFile, "Play Integrity requires it or \(other)")
        }
    }

    private func integrityServer() throws(FaultySetting) -> ServiceURL {
        let text = self.integrityURL ?? GoogleDecoder.googleURL
        guard let url = try? ServiceURL(text, allowsPlainLoopback: true), ServiceURL.origin(of: text) == text else {
            throw fault(\.integrityURL, .isNot("an https URL without a path, such as \(GoogleDecoder.googleURL)"))
        }
        return url
    }
}

/// The settings of an Android app that proves itself with Play Integrity. Only workers read the files.
struct PlayIntegritySetting {
    /// How the app's tokens are decoded.
    enum Decoding {
        /// With the response keys in a file.
        case keys(file: String)
        /// By Google's server, with the service account in a file.
        case serviceAccount(file: String, server: ServiceURL)
    }

    let projectID: String
    let packageName: String
    let requirements: IntegrityRequirements
    let decoding: Decoding

    /// Whether Google's server decodes the app's tokens.
    var asksGoogle: Bool {
        if case .serviceAccount = decoding { true } else { false }
    }
}
