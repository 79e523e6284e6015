import MessageTexts
import PhoneAuth

extension ProjectReader {
    func iOSApps() throws(Failure) -> [RegisteredApp] {
        var apps: [RegisteredApp] = []
        for reader in self.apps where !reader.isAndroid {
            try reader.refuse([\.retrieverHashes], "an iOS app has no such setting; remove it")
            let app = try reader.iOSApp()
            guard !apps.contains(where: { $0.bundleID == app.bundleID }) else {
                throw reader.fault(\.bundleID, .because("another app has this bundle ID"))
            }
            apps.append(app)
        }
        return apps
    }

    /// Returns the project's Android apps. In development mode a project need not register its apps.
    func androidApps(mode: DeploymentMode) throws(Failure) -> AndroidApps {
        var apps: [AndroidApp] = []
        for reader in self.apps where reader.isAndroid {
            try reader.refuse(
                [
                    \.bundleID, \.appID, \.clientID, \.apnsKeyFile, \.apnsKeyID, \.apnsTeamID, \.apnsCertificateFile,
                ],
                "an Android app has no such setting; remove it"
            )
            let hashes = try reader.required(\.retrieverHashes)
            let packageName = try reader.required(\.packageName)
            guard let app = AndroidApp(name: reader.owner, packageName: packageName, retrieverHashes: hashes) else {
                throw reader.fault(\.packageName, .isNot("a package name, such as com.example.app"))
            }
            guard !apps.contains(where: { $0.packageName == packageName }) else {
                throw reader.fault(\.packageName, .because("another app has this package name"))
            }
            apps.append(app)
        }
        return mode == .development && apps.isEmpty ? .anyUnverified : .registered(apps)
    }
}

extension SettingsReader<AppValues> {
    fileprivate func iOSApp() throws(Failure) -> RegisteredApp {
        let bundleID = try required(\.bundleID)
        let hasPush = try apnsCredential() != nil
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
    func apnsCredential() throws(Failure) -> APNsCredentialSetting? {
        if let certificate = self.apnsCertificateFile {
            guard self.apnsKeyFile == nil else {
                let key = name(of: \.apnsKeyFile)
                throw fault(\.apnsCertificateFile, .because("\(key) is set, too; remove one of them"))
            }
            return .certificate(file: certificate)
        }
        guard let keyFile = self.apnsKeyFile else { return nil }
        return .tokenKey(file: keyFile, keyID: try required(\.apnsKeyID), teamID: try required(\.apnsTeamID))
    }
}
