internal import Encodings

/// Where an app waits for the page's answer: its scheme, and the event that it waits for.
public struct Callback: Sendable, Hashable {
    /// The app's scheme.
    public let scheme: CallbackScheme
    /// The app's own name for this attempt.
    public let eventID: EventID
    /// The host that the answer names as its sender.
    public let authDomain: AuthDomain

    /// Names a place to return to.
    public init(scheme: CallbackScheme, eventID: EventID, authDomain: AuthDomain) {
        self.scheme = scheme
        self.eventID = eventID
        self.authDomain = authDomain
    }

    /// The link that hands `token` to the app.
    public func link(token: String) -> DeepLink {
        link(name: "recaptchaToken", value: token)
    }

    /// The link that tells the app why there is no token.
    public func link(error: VerifyAppError) -> DeepLink {
        link(name: "firebaseError", value: error.json)
    }

    /// What every link to this app begins with.
    var prefix: String { "\(scheme.name)://firebaseauth/link?deep_link_id=" }

    private func link(name: String, value: String) -> DeepLink {
        // Percent-encoded twice: the app's SDK takes the inner URL out of the outer query and its values out of the inner.
        let inner =
            "https://\(authDomain.text)/__/auth/callback?authType=verifyApp&eventId=\(eventID.text)"
            + "&\(name)=\(PercentEncoding.encode(value))"
        return DeepLink(url: prefix + PercentEncoding.encode(inner))
    }
}
