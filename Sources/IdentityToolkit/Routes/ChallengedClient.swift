internal import ChallengePages
internal import Encodings
internal import FastCGI
internal import PhoneAuth

/// Who is given a challenge.
struct ChallengedClient {
    enum Kind {
        case app(VerifyAppRequest)
        case web
    }

    let project: Project
    let kind: Kind

    /// What its challenges are bound to.
    var subject: ChallengeSubject {
        switch kind {
        case .app(let wish):
            .app(projectID: project.id, bundleID: wish.app.bundleID, eventID: wish.callback.eventID)
        case .web: .web(projectID: project.id)
        }
    }

    /// Who may use its token.
    var holder: ChallengeTokenHolder {
        switch kind {
        case .app(let wish): .app(bundleID: wish.app.bundleID)
        case .web: .web
        }
    }
}

extension IdentityToolkitHandler {
    /// The client of a call by script: an app's page passes the query on that it was opened with, a web app has its key alone.
    func challengedClient(_ request: borrowing Request) throws(WireError) -> ChallengedClient {
        guard let query = FormFields((request.parameter("QUERY_STRING") ?? "").utf8) else {
            throw .badRequest("The query string is malformed.")
        }
        guard query["authType"] != nil else {
            return ChallengedClient(project: try projects.project(ofAPIKey: query["apiKey"]), kind: .web)
        }
        do {
            return try challengedApp(query, request)
        } catch {
            throw .badRequest("INVALID_ARGUMENT : \(error.reason.code)")
        }
    }

    /// The app that opens the challenge page.
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
        let wish = try VerifyAppRequest(
            query: query.fields,
            authDomain: authDomain,
            apps: registeredApps(of: project, query)
        )
        return ChallengedClient(project: project, kind: .app(wish))
    }

    /// In development mode, where a project needs no registrations, an app is what it says it is.
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
