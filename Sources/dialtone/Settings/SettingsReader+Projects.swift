import IdentityToolkit
import MessageTexts
import PhoneAuth

/// Projects and their apps.
extension SettingsReader {
    /// In development mode all factors are on by default, and answers tell which e-mail addresses are known.
    func projects(isDevelopment: Bool) throws(Failure) -> [Project] {
        let ids = source.list("projects")
        guard !ids.isEmpty else { throw wrong("projects", "at least one project id") }
        guard Set(ids.map(SettingName.shown)).count == ids.count else { throw wrong("projects", "different ids") }
        for id in ids where !Self.isName(id) { throw wrong("projects", "ids of small letters, digits and dashes") }
        for name in source.names where SettingName.isOfProject(name) {
            guard ids.contains(where: { SettingName.isOfProject(name, $0, apps: appNames(of: $0)) }) else {
                throw Failure("\(name): is of a project or an app that the settings do not name")
            }
        }
        var projects: [Project] = []
        for id in ids {
            let domains = source.list("project.\(id).authorizedDomains")
            projects.append(
                Project(
                    id: id,
                    number: source.text("project.\(id).number"),
                    authorizedDomains: domains.isEmpty ? ["localhost", "\(id).firebaseapp.com"] : domains,
                    apps: try apps(of: id),
                    androidApps: try androidApps(of: id, isDevelopment: isDevelopment),
                    messages: try messages(of: id),
                    isPhoneSignInEnabled: try isEnabled("project.\(id).phoneSignIn", or: true),
                    isAnonymousSignInEnabled: try isEnabled("project.\(id).anonymousSignIn", or: isDevelopment),
                    unusedAnonymousUsers: try unusedAnonymousUsers(of: id),
                    isPasswordSignInEnabled: try isEnabled("project.\(id).passwordSignIn", or: isDevelopment),
                    protectsEmails: try isEnabled("project.\(id).emailEnumerationProtection", or: !isDevelopment),
                    linkingNeedsRecentSignIn: try isEnabled("project.\(id).recentSignInToLink", or: true),
                    customTokenIssuers: isDevelopment
                        ? .anyoneUnverified : .serviceAccounts(try serviceAccounts(of: id)),
                    recycledNumbers: try recycledNumbers(of: id),
                    smsRegions: try smsRegions(of: id),
                    sendsToUnassignedNumbers: try choice(
                        "project.\(id).smsUnassignedNumbers",
                        ["refused": false, "allowed": true],
                        or: isDevelopment
                    ),
                    secondFactors: try secondFactors(of: id, isDevelopment: isDevelopment),
                    blockingHooks: try blockingHooks(of: id, isDevelopment: isDevelopment),
                    requiresAppProofAtSignUp: try choice(
                        "project.\(id).signUpAppProof",
                        ["required": true, "off": false],
                        or: false
                    )
                )
            )
        }
        return projects
    }

    private func unusedAnonymousUsers(of project: String) throws(Failure) -> UnusedAnonymousUsers {
        var unused = UnusedAnonymousUsers()
        unused.areDeleted = try isEnabled("project.\(project).autodeleteAnonymousUsers", or: unused.areDeleted)
        let days = Int(unused.after.components.seconds / 86_400)
        unused.after = .seconds(
            try number("project.\(project).anonymousUserDays", in: 1...3650, or: days) * 86_400
        )
        return unused
    }

    func directory(of projects: [Project], isDevelopment: Bool) throws(Failure) -> ProjectDirectory {
        if isDevelopment {
            guard projects.count == 1 else { throw wrong("projects", "one project in development mode") }
            return ProjectDirectory(development: projects[0])
        }
        var apiKeys: [String: Project] = [:]
        for project in projects {
            let key = "project.\(project.id).apiKeys"
            let keys = source.list(key)
            guard !keys.isEmpty else { throw wrong(key, "at least one API key") }
            for apiKey in keys {
                guard apiKeys.updateValue(project, forKey: apiKey) == nil else {
                    throw wrong(key, "keys that no other project has")
                }
            }
        }
        return ProjectDirectory(apiKeys: apiKeys)
    }

    private func serviceAccounts(of project: String) throws(Failure) -> [ServiceAccount] {
        var accounts: [ServiceAccount] = []
        for path in source.list("project.\(project).serviceAccountFiles") {
            guard let account = ServiceAccount(file: try readFile(path)) else {
                throw Failure("\(path): expected JSON with client_email and an RSA private_key or public_key")
            }
            guard !accounts.contains(where: { $0.email == account.email }) else {
                throw Failure("\(path): its client_email is another service account's, too")
            }
            accounts.append(account)
        }
        return accounts
    }

    private func appNames(of project: String) -> [String] { source.list("project.\(project).apps") }

    private func apps(of project: String) throws(Failure) -> [RegisteredApp] {
        let names = appNames(of: project)
        for name in names where !Self.isName(name) {
            throw wrong("project.\(project).apps", "names of small letters, digits and dashes")
        }
        guard Set(names.map(SettingName.shown)).count == names.count else {
            throw wrong("project.\(project).apps", "different names")
        }
        var apps: [RegisteredApp] = []
        for name in names where !isAndroidApp(name, of: project) {
            let prefix = "project.\(project).app.\(name)."
            try refuse(["retrieverHashes"], of: prefix, "nothing for an iOS app")
            let bundleID = try required(prefix + "bundleId")
            guard !apps.contains(where: { $0.bundleID == bundleID }) else {
                throw wrong(prefix + "bundleId", "a bundle id that no other app has")
            }
            let hasPush = try apnsCredential(of: name, in: project) != nil
            do throws(RegisteredAppError) {
                apps.append(
                    try RegisteredApp(
                        name: name,
                        bundleID: bundleID,
                        appID: source.text(prefix + "appId"),
                        clientID: source.text(prefix + "clientId"),
                        hasPush: hasPush
                    )
                )
            } catch {
                switch error {
                case .bundleID: throw wrong(prefix + "bundleId", "letters, digits, dashes and dots")
                case .appID: throw wrong(prefix + "appId", "a Google app id, such as 1:123:ios:abc")
                case .clientID:
                    throw wrong(prefix + "clientId", "a client id, such as 123-abc.apps.googleusercontent.com")
                }
            }
        }
        return apps
    }

    /// An app with a package name is an Android app. In development mode a project need not register its apps.
    private func androidApps(of project: String, isDevelopment: Bool) throws(Failure) -> AndroidApps {
        var apps: [AndroidApp] = []
        for name in appNames(of: project) where isAndroidApp(name, of: project) {
            let prefix = "project.\(project).app.\(name)."
            try refuse(
                ["bundleId", "appId", "clientId", "apnsKeyFile", "apnsKeyId", "apnsTeamId", "apnsCertificateFile"],
                of: prefix,
                "nothing for an Android app"
            )
            var hashes: [AppSignatureHash] = []
            for text in source.list(prefix + "retrieverHashes") {
                guard let hash = AppSignatureHash(text) else {
                    throw wrong(prefix + "retrieverHashes", "hashes of 11 characters, such as FA+9qCX9VSu")
                }
                hashes.append(hash)
            }
            guard !hashes.isEmpty else { throw wrong(prefix + "retrieverHashes", "at least one hash") }
            let packageName = try required(prefix + "packageName")
            guard let app = AndroidApp(name: name, packageName: packageName, retrieverHashes: hashes) else {
                throw wrong(prefix + "packageName", "a package name, such as com.example.app")
            }
            guard !apps.contains(where: { $0.packageName == packageName }) else {
                throw wrong(prefix + "packageName", "a package name that no other app has")
            }
            apps.append(app)
        }
        return isDevelopment && apps.isEmpty ? .anyUnverified : .registered(apps)
    }

    private func isAndroidApp(_ name: String, of project: String) -> Bool {
        source.text("project.\(project).app.\(name).packageName") != nil
    }

    /// Refuses settings that an app of its kind does not have.
    private func refuse(_ keys: [String], of prefix: String, _ expected: String) throws(Failure) {
        for key in keys where source.text(prefix + key) != nil { throw wrong(prefix + key, expected) }
    }

    /// Whether a text may name a project or an app: it goes into key names, settings' names and tokens.
    static func isName(_ text: String) -> Bool {
        (1...63).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
