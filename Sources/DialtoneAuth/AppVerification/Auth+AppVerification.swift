public import Foundation

/// The environment of APNs that a device token belongs to.
public enum AuthAPNSTokenType: Int, Sendable {
    /// The server finds out.
    case unknown
    /// Builds that Xcode installs.
    case sandbox
    /// Builds of TestFlight and the App Store.
    case prod
}

extension Auth {
    /// The APNs device token; nil before ``setAPNSToken(_:type:)``.
    public var apnsToken: Data? { verifier.pushes.token?.bytes }

    /// Takes the APNs device token, with which the app is verified by silent push.
    ///
    /// - Parameters:
    ///   - token: the token that `didRegisterForRemoteNotificationsWithDeviceToken` receives.
    ///   - type: its environment.
    public func setAPNSToken(_ token: Data, type: AuthAPNSTokenType) {
        verifier.pushes.set(PushInbox.DeviceToken(bytes: token, type: type))
        verifier.registration.ended()
    }

    /// Takes a remote notification that the app received. Returns false if it is not of the app's verification: then
    /// the app handles it.
    public func canHandleNotification(_ userInfo: [AnyHashable: Any]) -> Bool { verifier.pushes.receive(userInfo) }

    /// Takes a URL that opened the app. Returns false if it is not the result of the challenge page: then the app
    /// handles it.
    public func canHandle(_ url: URL) -> Bool { verifier.receive(url) }

    /// Shows the challenge page of projects whose challenge is a CAPTCHA provider's. Projects with the proof of work,
    /// which is the default, show no page.
    public var challengePresenter: (any ChallengePresenter)? {
        get { verifier.presenter.withLock { $0 } }
        set { verifier.presenter.withLock { $0 = newValue } }
    }

    /// Sends a request that needs a proof of the app. If the server rejects the proof, sends it once more with the
    /// proof of a new challenge.
    func withAppProof<Response: Sendable>(
        _ send: @Sendable (_ proof: JSONFields) async throws -> Response
    ) async throws -> Response {
        let client = JSONFields(["clientType": verifier.clientType])
        if settings?.isAppVerificationDisabledForTesting == true {
            // The protocol's way to say that there is none, and that it is not a web app.
            return try await send(JSONFields(["clientType": "CLIENT_TYPE_IOS"]))
        }
        let (api, language) = (try api(), languageCode)
        let proof = try await verifier.proof(api, language: language)
        do {
            return try await send(client.merging(proof.fields))
        } catch let error where [.invalidAppCredential, .captchaCheckFailed].contains(AuthErrorCode(error)) {
            if case .push(let credential) = proof { verifier.pushes.discard(credential) }
            let second = try await verifier.challengeProof(api, language: language)
            return try await send(client.merging(second.fields))
        }
    }
}
