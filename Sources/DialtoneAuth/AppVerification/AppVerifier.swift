internal import Foundation

/// The proof of the app to the server: by a silent push, by a proof of work, or on the challenge page.
actor AppVerifier {
    /// The proof of the app in a request to send a message.
    enum Proof: Sendable {
        case push(PushCredential)
        case challengeToken(String)
        /// None, for a number to which the server probably sends nothing.
        case none

        var fields: JSONFields {
            switch self {
            case .push(let credential):
                JSONFields(["iosReceipt": credential.receipt, "iosSecret": credential.secret])
            case .challengeToken(let token): JSONFields(["recaptchaToken": token])
            case .none: JSONFields()
            }
        }
    }

    /// The longest wait for a silent push, in seconds, whatever the server suggests.
    private static let longestPushWait: TimeInterval = 10
    /// How long the challenge page may stay open, in seconds.
    private static let longestPresentation: TimeInterval = 600

    nonisolated let identity: AppIdentity?
    nonisolated let pushes: PushInbox
    nonisolated let registration: PushRegistration
    private nonisolated let presentation = Locked<(link: ChallengeLink, url: OneShot<URL>)?>(nil)
    nonisolated let presenter = Locked<(any ChallengePresenter)?>(nil)

    init(_ identity: AppIdentity?, _ store: any AuthStore, longestTokenWait: TimeInterval) {
        self.identity = identity
        pushes = PushInbox(store)
        registration = PushRegistration(longestWait: longestTokenWait)
    }

    /// The client type in requests.
    nonisolated var clientType: String { identity == nil ? "CLIENT_TYPE_WEB" : "CLIENT_TYPE_IOS" }

    /// Returns a proof: the credential of an earlier push, of a new push, or the token of a challenge, which is solved
    /// only if the server may send a message to the number.
    func proof(_ api: APIClient, language: String?, for number: String?) async throws -> Proof {
        if identity != nil {
            if let credential = pushes.credential { return .push(credential) }
            if pushes.token == nil { try await registration.wait() }
            if let token = pushes.token, let credential = try await newPush(to: token, api) {
                return .push(credential)
            }
        }
        if let number, try await !isPlausible(number, api) { return .none }
        return try await challengeProof(api, language: language)
    }

    /// Returns whether the server reads a number as one that it sends messages to. Test numbers may be others.
    private func isPlausible(_ number: String, _ api: APIClient) async throws -> Bool {
        let fields = JSONFields(["phoneNumber": number])
        let response = try? await api.post("/v2/parsePhoneNumber", fields, as: ParseNumberResponse.self)
        try Task.checkCancellation()
        return response == nil || response?.accepted == true
    }

    /// Handles a URL that opened the app. Returns whether it was the result of the challenge page.
    nonisolated func receive(_ url: URL) -> Bool {
        guard let presentation = presentation.withLock({ $0 }), presentation.link.matches(url) else { return false }
        presentation.url.resolve(.success(url))
        return true
    }

    // MARK: Silent push

    /// Requests a push and waits for it. Returns nil if none arrives: then a challenge is needed.
    private func newPush(to token: PushInbox.DeviceToken, _ api: APIClient) async throws -> PushCredential? {
        var fields = JSONFields(["appToken": token.bytes.map { String(format: "%02X", $0) }.joined()])
        if token.type == .sandbox { fields["isSandbox"] = .flag(true) }
        do {
            let response = try await api.post(
                "/v1/accounts:verifyIosClient",
                fields,
                as: VerifyClientResponse.self
            )
            let push = pushes.expect(response.receipt)
            let suggested = TimeInterval(response.suggestedTimeout).flatMap { $0.isNaN ? nil : $0 }
            let wait = min(max(suggested ?? 5, 1), Self.longestPushWait)
            return try await withDeadline(seconds: wait, { AuthErrorCode.notificationNotForwarded.error() }) {
                try await push.value()
            }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return nil
        }
    }

    // MARK: Challenge

    /// Solves a new challenge and returns its proof.
    func challengeProof(_ api: APIClient, language: String?) async throws -> Proof {
        // 20 letters that identify the result of this challenge.
        let eventID = String((0..<20).map { _ in Character(UnicodeScalar(UInt8.random(in: 65...90))) })
        let link = identity.map { ChallengeLink(scheme: $0.callbackScheme, eventID: eventID) }
        let query = query(api, eventID)
        do {
            let challenge = try await api.post(
                "/__/auth/challenge",
                JSONFields(),
                query: query,
                as: ProofOfWorkChallenge.self
            )
            let answer = try await api.post(
                "/__/auth/verify",
                JSONFields(["solution": try await ProofOfWorkSolver.solve(challenge)]),
                query: query,
                as: ChallengeAnswerResponse.self
            )
            if let token = answer.token, !token.isEmpty { return .challengeToken(token) }
            if let url = answer.location.flatMap(URL.init), let link {
                return .challengeToken(try link.token(of: url))
            }
            throw AuthErrorCode.internalError.error("The server's response to the proof of work has no token.")
        } catch let error where AuthErrorCode(error) == .operationNotAllowed {
            guard let link else {
                throw AuthErrorCode.appNotVerified.error(
                    "The project's challenge is a CAPTCHA provider's, which needs a registered app: set bundleID and "
                        + "googleAppID or clientID in DialtoneOptions."
                )
            }
            return .challengeToken(try await presented(link, api, query, language))
        }
    }

    private nonisolated func query(_ api: APIClient, _ eventID: String) -> [(name: String, value: String)] {
        guard let identity else { return [("apiKey", api.apiKey)] }
        return [
            ("apiKey", api.apiKey), ("authType", "verifyApp"), ("ibi", identity.bundleID), ("eventId", eventID),
            identity.parameter,
        ]
    }

    private func presented(
        _ link: ChallengeLink,
        _ api: APIClient,
        _ query: [(name: String, value: String)],
        _ language: String?
    ) async throws -> String {
        guard link.hasValidScheme else {
            throw AuthErrorCode.invalidClientID.error(
                "The client ID or app ID in DialtoneOptions yields no URL scheme. Compare it with the server's "
                    + "settings: clientID is such as 123-abc.apps.googleusercontent.com, googleAppID such as 1:123:ios:abc."
            )
        }
        let all = query + [("v", APIClient.version)] + (language.map { [("hl", $0)] } ?? [])
        let url = api.server.url(path: "/__/auth/handler", query: all)
        guard let presenter = presenter.withLock({ $0 }), let page = url else {
            throw AuthErrorCode.appNotVerified.error(
                "The project's challenge is a CAPTCHA provider's page. Set Auth.challengePresenter to show it."
            )
        }
        let end = OneShot<URL>()
        let isFree = presentation.withLock { presentation -> Bool in
            guard presentation == nil else { return false }
            presentation = (link, end)
            return true
        }
        guard isFree else { throw AuthErrorCode.webContextAlreadyPresented.error() }
        defer { presentation.withLock { $0 = nil } }
        let showing = Task {
            do {
                end.resolve(.success(try await presenter.present(page, callbackScheme: link.scheme)))
            } catch {
                end.resolve(.failure(error))
            }
        }
        defer { showing.cancel() }
        let result = try await withDeadline(
            seconds: Self.longestPresentation,
            { AuthErrorCode.webContextCancelled.error("The challenge page was open for too long.") },
            { try await end.value() }
        )
        return try link.token(of: result)
    }
}

/// A registered app, as the server's settings name it.
struct AppIdentity: Sendable {
    let bundleID: String
    /// `clientId` or `appId`.
    let parameter: (name: String, value: String)
    /// The scheme of the links that open the app.
    let callbackScheme: String

    /// Creates an identity; nil if the options do not have all of its parts.
    init?(_ options: DialtoneOptions) {
        guard let bundleID = options.bundleID, !bundleID.isEmpty else { return nil }
        self.bundleID = bundleID
        if let clientID = options.clientID, !clientID.isEmpty {
            parameter = ("clientId", clientID)
            callbackScheme = clientID.split(separator: ".").reversed().joined(separator: ".")
        } else if let appID = options.googleAppID, !appID.isEmpty {
            parameter = ("appId", appID)
            callbackScheme = "app-" + appID.replacingOccurrences(of: ":", with: "-")
        } else {
            return nil
        }
    }
}
