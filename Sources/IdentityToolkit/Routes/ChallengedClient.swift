internal import ChallengePages
internal import Encodings
internal import FastCGI
internal import PhoneAuth

/// A client that receives a challenge.
struct ChallengedClient {
    enum Kind {
        case app(VerifyAppRequest)
        case web
    }

    let project: Project
    let kind: Kind

    /// The subject to which the client's challenges are bound.
    var subject: ChallengeSubject {
        switch kind {
        case .app(let verification):
            switch verification.app {
            case .iOS(let app):
                .app(projectID: project.id, bundleID: app.bundleID.text, eventID: verification.callback.eventID)
            case .android(let app):
                .androidApp(
                    projectID: project.id,
                    packageName: app.packageName,
                    eventID: verification.callback.eventID
                )
            }
        case .web: .web(projectID: project.id)
        }
    }

    /// The client that may use the challenge token.
    var holder: ClientApp {
        switch kind {
        case .app(let verification):
            switch verification.app {
            case .iOS(let app): .iOS(bundleID: app.bundleID.text)
            case .android(let app): .android(packageName: app.packageName)
            }
        case .web: .web
        }
    }
}

extension IdentityToolkitHandler {
    /// Returns the client of a script's call. An app's challenge page passes on the query that it was opened with; a
    /// web app sends only its API key.
    func challengedClient(_ request: borrowing Request) throws(WireError) -> ChallengedClient {
        try StoreUnavailable.onWire(authenticator.checkDeployment())
        let query = try request.queryFields()
        guard query["authType"] != nil else {
            return ChallengedClient(project: try projects.project(ofAPIKey: query["apiKey"]), kind: .web)
        }
        do {
            return try challengedApp(query, request)
        } catch {
            throw .code(.invalidArgument, error.reason.code)
        }
    }

    /// Returns the app that opens the challenge page.
    func challengedApp(
        _ query: FormFields?,
        _ request: borrowing Request
    ) throws(VerifyAppRefusal) -> ChallengedClient {
        guard let query, let authDomain = AuthDomain(request.parameter("HTTP_HOST") ?? "") else {
            throw VerifyAppRefusal(reason: .malformed, callback: nil)
        }
        guard let project = try? projects.project(ofAPIKey: query["apiKey"]) else {
            throw VerifyAppRefusal(reason: .unknownApp, callback: nil)
        }
        let verification = try VerifyAppRequest(
            query: query.fields,
            authDomain: authDomain,
            apps: registeredApps(of: project, query),
            androidApps: project.androidApps
        )
        return ChallengedClient(project: project, kind: .app(verification))
    }

    /// Returns the iOS apps of a project. In development mode a project needs no registered apps, so an app's own
    /// claims are accepted.
    private func registeredApps(of project: Project, _ query: FormFields) -> [RegisteredApp] {
        guard case .development = projects.mode, project.apps.isEmpty, let bundleID = query["ibi"] else {
            return project.apps
        }
        let app = try? RegisteredApp(
            name: "unregistered",
            bundleID: bundleID,
            appID: query["appId"].flatMap { $0.isEmpty ? nil : $0 },
            clientID: query["clientId"].flatMap { $0.isEmpty ? nil : $0 },
            hasPush: false
        )
        return app.map { [$0] } ?? []
    }
}
