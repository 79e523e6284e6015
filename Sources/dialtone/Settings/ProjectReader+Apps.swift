import MessageTexts
import PhoneAuth

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
