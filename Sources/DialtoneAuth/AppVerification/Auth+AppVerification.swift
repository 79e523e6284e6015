public import Foundation

/// The environment of APNs that a device token belongs to.
public enum AuthAPNSTokenType: Int, Sendable {
    /// The server determines the environment.
    case unknown
    /// Builds that Xcode installs.
    case sandbox
    /// Builds of TestFlight and the App Store.
    case prod
}

extension Auth {
    /// The APNs device token; nil before ``setAPNSToken(_:type:)``.
    public var apnsToken: Data? { verifier.pushes.token?.bytes }

    /// Sets the APNs device token, with which the server verifies the app by silent push.
    ///
    /// - Parameters:
    ///   - token: the token that `didRegisterForRemoteNotificationsWithDeviceToken` receives.
    ///   - type: its environment.
    public func setAPNSToken(_ token: Data, type: AuthAPNSTokenType) {
        verifier.pushes.set(PushInbox.DeviceToken(bytes: token, type: type))
        verifier.registration.ended()
    }

    /// Handles a remote notification that the app received. Returns false if it does not belong to app verification:
    /// then the app handles it.
    public func canHandleNotification(_ userInfo: [AnyHashable: Any]) -> Bool { verifier.pushes.receive(userInfo) }

    /// Handles a URL that opened the app. Returns false if it is not the result of the challenge page: then the app
    /// handles it.
    public func canHandle(_ url: URL) -> Bool { verifier.receive(url) }

    /// Shows the challenge page of projects that use a CAPTCHA provider. Projects that use the proof of work, the
    /// default, show no page.
    public var challengePresenter: (any ChallengePresenter)? {
        get { verifier.presenter.withLock { $0 } }
        set { verifier.presenter.withLock { $0 = newValue } }
    }

    /// Sends a request that needs a proof of the app. If the server rejects the proof, solves a new challenge and sends
    /// the request once more. `number` is what the user has typed, to which the server may send nothing.
    func withAppProof<Response: Sendable>(
        for number: String? = nil,
        _ send: @Sendable (_ proof: JSONFields) async throws -> Response
    ) async throws -> Response {
        let client = JSONFields(["clientType": verifier.clientType])
        if settings?.isAppVerificationDisabledForTesting == true {
            // In the protocol, this means: there is no proof, and the client is not a web app.
            return try await send(JSONFields(["clientType": "CLIENT_TYPE_IOS"]))
        }
        let (api, language) = (try api(), languageCode)
        let proof = try await verifier.proof(api, language: language, for: number)
        do {
            return try await send(client.merging(proof.fields))
        } catch let error
            where [.invalidAppCredential, .captchaCheckFailed, .missingAppCredential].contains(AuthErrorCode(error))
        {
            if case .push(let credential) = proof { verifier.pushes.discard(credential) }
            let second = try await verifier.challengeProof(api, language: language)
            return try await send(client.merging(second.fields))
        }
    }
}
