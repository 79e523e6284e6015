import Encodings
import FirebaseSessions

extension [ProjectReader] {
    /// Returns the Firebase projects whose sessions are taken over, by project id.
    func firebaseProjects() -> [String: FirebaseProject] {
        var projects: [String: FirebaseProject] = [:]
        for reader in self {
            projects[reader.id] = reader.project.collect(try reader.project.firebaseProject()) ?? nil
        }
        return projects
    }
}

extension SettingsReader<ProjectValues> {
    /// Returns the Firebase project whose sessions are taken over; nil if there is none.
    fileprivate func firebaseProject() throws(FaultySetting) -> FirebaseProject? {
        try check(\.firebaseSessionsEnd)
        guard let end = self.firebaseSessionsEnd else {
            let name = name(of: \.firebaseSessionsEnd)
            refuse(
                [\.firebaseAPIKey, \.firebaseProjectID, \.firebaseURL],
                "has no effect because \(name) is not set; set it, or remove this"
            )
            return nil
        }
        return FirebaseProject(
            id: self.firebaseProjectID ?? owner,
            apiKey: try required(\.firebaseAPIKey),
            url: try firebaseServer(),
            end: end
        )
    }

    private func firebaseServer() throws(FaultySetting) -> ServiceURL? {
        guard let text = self.firebaseURL else { return nil }
        guard let url = try? ServiceURL(text, allowsPlainLoopback: true), ServiceURL.origin(of: text) == text else {
            throw fault(\.firebaseURL, .isNot("an https URL without a path, or an http URL with a loopback address"))
        }
        return url
    }
}

extension Settings {
    /// Returns how workers exchange Firebase's refresh tokens.
    func firebaseTokenExchange() -> FirebaseProjects {
        FirebaseProjects(firebaseProjects, proxy: outgoingProxy, waitingOn: providerThreads)
    }
}
