import IdentityToolkit
import MessageTexts
import PhoneAuth
import RedisStore

extension ProjectReader {
    /// Returns the project, validated.
    /// - Throws: ``Failure`` that names the setting or the file.
    func project(mode: DeploymentMode) throws(Failure) -> Project {
        let isDevelopment = mode == .development
        return Project(
            id: id,
            number: project.number,
            authorizedDomains: project.authorizedDomains ?? ["localhost", "\(id).firebaseapp.com"],
            apps: try iOSApps(),
            androidApps: try androidApps(mode: mode),
            messages: try project.messages(),
            isPhoneSignInEnabled: project.isPhoneSignInEnabled,
            isAnonymousSignInEnabled: project.isAnonymousSignInEnabled,
            unusedAnonymousUsers: project.unusedAnonymousUsers,
            isPasswordSignInEnabled: project.isPasswordSignInEnabled,
            protectsEmails: project.protectsEmails,
            linkingNeedsRecentSignIn: project.linkingNeedsRecentSignIn,
            customTokenIssuers: isDevelopment ? .anyoneUnverified : .serviceAccounts(try project.serviceAccounts()),
            recycledNumbers: RecycledNumberPolicy(
                provenFor: project.recycledNumberAge,
                answer: project.recycledNumberAnswer
            ),
            smsRegions: try project.smsRegions(),
            sendsToUnassignedNumbers: project.sendsToUnassignedNumbers,
            secondFactors: project.secondFactorPolicy,
            blockingHooks: try project.blockingHooks(mode: mode),
            requiresAppProofAtSignUp: project.requiresAppProofAtSignUp
        )
    }
}

extension SettingsReader<ProjectValues> {
    fileprivate func serviceAccounts() throws(Failure) -> [ServiceAccount] {
        var accounts: [ServiceAccount] = []
        for path in self.serviceAccountFiles {
            guard let account = ServiceAccount(file: try readFile(path)) else {
                throw Failure("\(path): not JSON with client_email and an RSA private_key or public_key")
            }
            guard !accounts.contains(where: { $0.email == account.email }) else {
                throw Failure("\(path): another service account has the same client_email")
            }
            accounts.append(account)
        }
        return accounts
    }

    fileprivate func smsRegions() throws(Failure) -> SMSRegionPolicy {
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
    /// Returns the projects by API key. In development mode there is one project.
    /// - Throws: ``Failure`` that names the setting.
    func directory(
        of projects: [Project],
        _ deployment: SettingsReader<DeploymentValues>,
        mode: DeploymentMode
    ) throws(Failure) -> ProjectDirectory {
        if mode == .development {
            guard projects.count == 1 else {
                throw deployment.fault(\.projects, .because("development mode has one project; remove the others"))
            }
            return ProjectDirectory(development: projects[0])
        }
        var directory: [String: Project] = [:]
        for (reader, project) in zip(self, projects) {
            for apiKey in try reader.project.required(\.apiKeys) {
                guard directory.updateValue(project, forKey: apiKey) == nil else {
                    throw reader.project.fault(\.apiKeys, .because("\(apiKey) is repeated or another project's"))
                }
            }
        }
        return ProjectDirectory(apiKeys: directory)
    }
}
