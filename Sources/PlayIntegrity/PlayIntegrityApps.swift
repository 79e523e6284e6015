public import PhoneAuth
public import Threads

/// An Android app whose Play Integrity tokens are accepted.
public struct PlayIntegrityApp: Sendable {
    /// How the app's tokens are decoded.
    public enum Decoding: Sendable {
        /// By this server, with the app's response keys.
        case here(ResponseKeys)
        /// By Google's server.
        case byGoogle(GoogleDecoder)
    }

    /// The id of the app's project.
    let projectID: String
    /// The app's package name.
    let packageName: String
    /// The requirements for its tokens.
    let requirements: IntegrityRequirements
    /// How its tokens are decoded.
    let decoding: Decoding

    /// Creates an app.
    public init(
        projectID: String,
        packageName: String,
        requirements: IntegrityRequirements,
        decoding: Decoding
    ) {
        self.projectID = projectID
        self.packageName = packageName
        self.requirements = requirements
        self.decoding = decoding
    }
}

/// The Android apps of all projects that prove themselves with Play Integrity, and the verification of their tokens.
public struct PlayIntegrityApps: Sendable {
    private let apps: [PlayIntegrityApp]
    private let threads: CountingGate

    /// Creates the list. `threads` limits how many threads may wait for Google's server.
    public init(_ apps: [PlayIntegrityApp], waitingOn threads: CountingGate) {
        self.apps = apps
        self.threads = threads
    }

    /// Returns whether a text has the form of a token; nil if the app has no settings for Play Integrity. Decodes
    /// nothing.
    public func mayBeValid(_ token: String, of packageName: String, in project: Project) -> Bool? {
        app(packageName, project).map { _ in SealedIntegrityToken(token) != nil }
    }

    /// Decodes a token, and returns why it does not prove the app; nil if it does. If Google's server decodes the app's
    /// tokens, this blocks the thread, at most until the decoder's deadline.
    public func refusal(of request: IntegrityTokenRequest, in project: Project) -> InvalidAppCredential? {
        guard let app = app(request.packageName, project) else { return .integrityNotConfigured }
        guard let token = SealedIntegrityToken(request.token) else { return .integrityTokenInvalid }
        switch app.decoding {
        case .here(let keys):
            guard let payload = keys.payload(of: token) else { return .integrityTokenInvalid }
            return app.requirements.refusal(of: IntegrityPayload(payload), for: request)
        case .byGoogle(let decoder):
            let outcome = threads.run(for: "\(app.projectID)/\(app.packageName)") {
                decoder.decode(request.token, of: app.packageName, at: request.now)
            }
            switch outcome {
            case .payload(let payload)?:
                return app.requirements.refusal(of: IntegrityPayload(payload), for: request)
            case .refused?: return .integrityTokenInvalid
            case .accountRefused?: return .integrityAccountRefused
            case .unavailable?, nil: return .integrityUnavailable
            }
        }
    }

    private func app(_ packageName: String, _ project: Project) -> PlayIntegrityApp? {
        apps.first { $0.projectID == project.id && $0.packageName == packageName }
    }
}
