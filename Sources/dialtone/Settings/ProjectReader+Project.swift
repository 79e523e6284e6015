import IdentityToolkit
import MessageTexts
import PhoneAuth
import RedisScripts

extension ProjectReader {
    /// Returns the project, without the parts that have faults.
    func project(mode: DeploymentMode) -> Project {
        let isDevelopment = mode == .development
        return Project(
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
