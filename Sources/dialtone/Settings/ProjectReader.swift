import ChallengePages
import Encodings
import IdentityToolkit
import MessageTexts
import PhoneAuth
import RedisScripts

/// The settings of a project and its apps.
struct ProjectReader {
    let project: SettingsReader<ProjectValues>
    let apps: [SettingsReader<AppValues>]

    /// Reads the settings of a project, and of each app that the project lists.
    init(
        _ settings: [Setting<ProjectValues>],
        ofApps appSettings: [Setting<AppValues>],
        _ source: SettingsSource,
        _ faults: SettingsFaults,
        mode: DeploymentMode,
        id: String
    ) {
        project = SettingsReader(settings, source, faults, mode: mode, owner: id, prefix: SettingName.project(id))
        apps = project.apps.map { name in
            let prefix = SettingName.app(name, of: id)
            return SettingsReader(appSettings, source, faults, mode: mode, owner: name, prefix: prefix)
        }
    }

    /// The project's ID.
    var id: String { project.owner }

    /// The full names of all settings of the project and its apps.
    var names: [String] { project.names + apps.flatMap(\.names) }
}

extension ProjectReader {
    /// Returns the project, without the parts that have faults.
    func project(mode: DeploymentMode, mailSender: EmailAddress?) -> Project {
        let isDevelopment = mode == .development
        var made = Project(
            id: id,
            number: project.number,
            ownIssuer: project.collect(try project.ownIssuer(mode)) ?? nil,
            sessionCookieName: project.sessionCookieName,
            authorizedDomains: project.authorizedDomains ?? ["localhost", "\(id).firebaseapp.com"],
            hasDefaultDomains: project.authorizedDomains == nil,
            redirectURIs: project.redirectURIs,
            apps: iOSApps(),
            androidApps: androidApps(mode: mode),
            messages: project.collect(try project.messages()) ?? .nameless,
            isPhoneSignInEnabled: project.isPhoneSignInEnabled,
            isAnonymousSignInEnabled: project.isAnonymousSignInEnabled,
            unusedAnonymousUsers: project.unusedAnonymousUsers,
            isPasswordSignInEnabled: project.isPasswordSignInEnabled,
            protectsEmails: project.protectsEmails,
            linkingNeedsRecentSignIn: project.linkingNeedsRecentSignIn,
            customTokenIssuers: isDevelopment ? .anyoneUnverified : .serviceAccounts(project.serviceAccounts()),
            recycledNumbers: RecycledNumberPolicy(
                provenFor: project.recycledNumberAge,
                answer: project.recycledNumberAnswer
            ),
            smsRegions: project.collect(try project.smsRegions()) ?? .everywhere,
            unassignedNumbers: project.unassignedNumbers,
            secondFactors: project.secondFactorPolicy,
            blockingHooks: project.blockingHooks(mode: mode),
            requiresAppProofAtSignUp: project.requiresAppProofAtSignUp,
            requiresAppProofForTestNumbers: project.requiresAppProofForTestNumbers
        )
        made.mails = project.collect(try project.mails()) ?? .nameless
        made.mailSender = mailSender
        made.allowsEmailLinks = project.allowsEmailLinks
        return made
    }
}

extension SettingsReader<ProjectValues> {
    fileprivate func ownIssuer(_ mode: DeploymentMode) throws(FaultySetting) -> TokenIssuer? {
        guard let text = self.issuer else { return nil }
        let isDevelopment = mode == .development
        do {
            return try TokenIssuer(text, of: owner, allowsPlainLoopback: isDevelopment)
        } catch {
            switch error {
            case .notAURL:
                let plain = isDevelopment ? ", or an http URL with a loopback address" : ""
                throw fault(\.issuer, .isNot("an https URL without user name, query or fragment" + plain))
            case .pathUnknown:
                let reason = "Dialtone serves the discovery document only at https://<host> and at"
                throw fault(
                    \.issuer,
                    .because("\(reason) https://<host>/projects/\(owner), without a slash at the end")
                )
            case .reserved:
                throw fault(
                    \.issuer,
                    .because("this is Firebase's host; remove it to use Firebase's issuer")
                )
            }
        }
    }

    fileprivate func serviceAccounts() -> [ServiceAccount] {
        var accounts: [ServiceAccount] = []
        for path in self.serviceAccountFiles {
            guard let account = collect(try serviceAccount(path, besides: accounts)) else { continue }
            accounts.append(account)
        }
        return accounts
    }

    private func serviceAccount(
        _ path: String,
        besides others: [ServiceAccount]
    ) throws(FaultySetting) -> ServiceAccount {
        guard let account = ServiceAccount(file: try file(path, \.serviceAccountFiles)) else {
            let reason = "\(path): not JSON with client_email and an RSA private_key or public_key"
            throw fault(\.serviceAccountFiles, .because(reason))
        }
        guard !others.contains(where: { $0.email == account.email }) else {
            throw fault(\.serviceAccountFiles, .because("\(path): another service account has the same client_email"))
        }
        return account
    }

    fileprivate func smsRegions() throws(FaultySetting) -> SMSRegionPolicy {
        switch (self.allowedRegions, self.disallowedRegions) {
        case (nil, nil): return .everywhere
        case (let allowed?, nil): return .allowlistOnly(allowed: allowed)
        case (nil, let disallowed?): return .allowByDefault(disallowed: disallowed)
        case (.some, .some):
            throw fault(\.disallowedRegions, .because("\(name(of: \.allowedRegions)) is set, too; remove one of them"))
        }
    }

    fileprivate var secondFactorPolicy: SecondFactorPolicy {
        SecondFactorPolicy(
            state: self.secondFactors,
            allowsSMS: self.secondFactorKinds.contains(.sms),
            adjacentIntervals: self.secondFactorKinds.contains(.totp) ? self.totpAdjacentIntervals : nil
        )
    }
}

extension [ProjectReader] {
    /// Rejects issuers whose discovery documents would have the same URL.
    func checkIssuers(of projects: [Project]) {
        for (index, (reader, project)) in zip(self, projects).enumerated() {
            guard let issuer = project.ownIssuer,
                let other = projects[..<index].first(where: { $0.ownIssuer?.collides(with: issuer) == true })
            else { continue }
            let path = "https://<host>/projects/\(project.id)"
            let reason =
                "project \(other.id) has the same issuer; several projects on one host need issuers such as \(path)"
            reader.project.collect(
                try { () throws(FaultySetting) in throw reader.project.fault(\.issuer, .because(reason)) }()
            )
        }
    }

    /// Returns the projects by API key. In development mode, there is one project.
    func directory(
        of projects: [Project],
        _ deployment: SettingsReader<DeploymentValues>,
        mode: DeploymentMode
    ) throws(FaultySetting) -> ProjectDirectory {
        if mode == .development {
            _ = try deployment.required(\.projects)
            guard projects.count == 1 else {
                throw deployment.fault(\.projects, .because("development mode supports one project; remove the others"))
            }
            return ProjectDirectory(development: projects[0])
        }
        var directory: [String: Project] = [:]
        for (reader, project) in zip(self, projects) {
            for apiKey in reader.project.collect(try reader.project.required(\.apiKeys)) ?? [] {
                guard directory.updateValue(project, forKey: apiKey) == nil else {
                    let reason = "\(apiKey) is listed twice or belongs to another project"
                    throw reader.project.fault(\.apiKeys, .because(reason))
                }
            }
        }
        return ProjectDirectory(apiKeys: directory)
    }
}

extension SettingsReader<ProjectValues> {
    /// Returns the blocking hooks: called before an account is created, a user signs in or a second factor is enrolled.
    func blockingHooks(mode: DeploymentMode) -> BlockingHooks {
        BlockingHooks(
            beforeCreate: collect(try hook(\.beforeCreateURL, mode)) ?? nil,
            beforeSignIn: collect(try hook(\.beforeSignInURL, mode)) ?? nil,
            beforeSecondFactorEnrollment: collect(try hook(\.beforeSecondFactorEnrollmentURL, mode)) ?? nil
        )
    }

    private func hook(_ property: KeyPath<ProjectValues, String?>, _ mode: DeploymentMode) throws(FaultySetting)
        -> ServiceURL?
    {
        guard let text = self[dynamicMember: property] else { return nil }
        do {
            return try ServiceURL(text, allowsPlainLoopback: mode == .development)
        } catch {
            let plain = mode == .development ? ", or an http URL with a loopback address" : ""
            throw fault(property, .isNot("an https URL without user name or fragment" + plain))
        }
    }
}

extension [ProjectReader] {
    /// Returns the third-party challenge providers, by project, without those that have faults.
    func challengeProviders() -> [String: ChallengeProvider] {
        var providers: [String: ChallengeProvider] = [:]
        for reader in self {
            providers[reader.id] = reader.project.collect(try reader.project.challengeProvider()) ?? nil
        }
        return providers
    }
}

extension SettingsReader<ProjectValues> {
    /// Returns the challenge provider; nil for the proof of work.
    fileprivate func challengeProvider() throws(FaultySetting) -> ChallengeProvider? {
        try check(\.challenge)
        guard let kind = self.challenge else {
            refuse(
                [\.challengeSiteKey, \.challengeSecret, \.challengeVerifyURL],
                "has no effect because \(name(of: \.challenge)) is proof-of-work; remove it"
            )
            return nil
        }
        let siteKey = try required(\.challengeSiteKey)
        let secret = ProviderSecret(try required(\.challengeSecret))
        do throws(ChallengeProviderError) {
            return try ChallengeProvider(
                kind: kind,
                siteKey: siteKey,
                secret: secret,
                verificationURL: self.challengeVerifyURL
            )
        } catch {
            switch error {
            case .siteKey: throw fault(\.challengeSiteKey, .isNot("letters, digits, dashes, underscores and dots"))
            case .secret: throw fault(\.challengeSecret, .isNot("the secret that belongs to the site key"))
            case .verificationURL:
                let form = "an https URL, or an http URL with a loopback address, without user name or fragment"
                throw fault(\.challengeVerifyURL, .isNot(form))
            }
        }
    }
}

extension SettingsReader<ProjectValues> {
    /// Returns the message templates.
    func messages() throws(FaultySetting) -> MessageTemplates {
        let file = self.messageFile
        let overrides = try file.map { path throws(FaultySetting) in try templates(path, \.messageFile) } ?? []
        do throws(MessageTemplateError) {
            return try MessageTemplates(appName: self.appName, overrides: overrides)
        } catch {
            if case .appName = error { throw fault(\.appName, .because("\(error)")) }
            throw fault(\.messageFile, .because("\(error)"))
        }
    }

    /// Returns the templates of mails.
    func mails() throws(FaultySetting) -> MailTemplates {
        let overrides = try self.mailFile.map { path throws(FaultySetting) in try templates(path, \.mailFile) } ?? []
        do throws(MessageTemplateError) {
            return try MailTemplates(appName: self.appName, overrides: overrides.map { ($0.language, $0.template) })
        } catch {
            // `messages()` reports an invalid name.
            if case .appName = error { return .nameless }
            throw fault(\.mailFile, .because("\(error)"))
        }
    }

    /// Reads lines of the form `language=template`. Empty lines and lines that begin with `#` are skipped.
    private func templates(
        _ path: String,
        _ property: PartialKeyPath<ProjectValues>
    ) throws(FaultySetting) -> [(language: String, template: String)] {
        var templates: [(language: String, template: String)] = []
        let text = String(decoding: try self.file(path, property), as: UTF8.self)
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
        where !line.isEmpty && !line.hasPrefix("#") {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else {
                throw fault(property, .because("line \(index + 1) is not language=template"))
            }
            templates.append((String(parts[0]), String(parts[1])))
        }
        return templates
    }
}
