internal import Encodings

/// The destination of the page's result: the app's scheme, and the event that the app waits for.
public struct Callback: Sendable, Hashable {
    /// The app's scheme.
    public let scheme: CallbackScheme
    /// The app's id of this attempt.
    public let eventID: EventID
    /// The host that the result names as its sender.
    public let authDomain: AuthDomain

    /// Creates a callback.
    public init(scheme: CallbackScheme, eventID: EventID, authDomain: AuthDomain) {
        self.scheme = scheme
        self.eventID = eventID
        self.authDomain = authDomain
    }

    /// Returns the link that passes `token` to the app.
    public func link(token: String) -> DeepLink {
        link(name: "recaptchaToken", value: token)
    }

    /// Returns the link that tells the app why there is no token.
    public func link(error: VerifyAppError) -> DeepLink {
        link(name: "firebaseError", value: error.json)
    }

    /// The prefix of every link to this app.
    var prefix: String { "\(scheme.name)://firebaseauth/link?deep_link_id=" }

    private func link(name: String, value: String) -> DeepLink {
        // Percent-encoded twice: the app's SDK parses the inner URL from the outer query, and the values from the inner
        // query.
        let inner =
            "https://\(authDomain.text)/__/auth/callback?authType=verifyApp&eventId=\(eventID.text)"
            + "&\(name)=\(PercentEncoding.encode(value))"
        return DeepLink(url: prefix + PercentEncoding.encode(inner))
    }
}
