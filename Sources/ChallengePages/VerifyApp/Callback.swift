public import Encodings
public import PhoneAuth

/// The destination of the page's result: how the app is opened, and the event that it waits for.
public struct Callback: Sendable, Hashable {
    /// How a link opens an app. It derives only from a registered app, so the page is not an open redirect.
    public enum Opening: Sendable, Hashable {
        /// An iOS app, by its scheme.
        case scheme(CallbackScheme)
        /// An Android app, by an intent for its package, which browsers deliver to no other app.
        case intent(packageName: String)
    }

    /// How the app is opened.
    public let opening: Opening
    /// The app's id of this attempt.
    public let eventID: EventID
    /// The host that the result names as its sender.
    public let authDomain: AuthDomain

    /// Creates a callback.
    public init(opening: Opening, eventID: EventID, authDomain: AuthDomain) {
        self.opening = opening
        self.eventID = eventID
        self.authDomain = authDomain
    }

    /// Returns the link that passes `token` to the app.
    public func link(token: String) -> DeepLink {
        switch opening {
        case .scheme: link(url(of: "recaptchaToken", token))
        // The SDK sends a key for encrypting the link. With this extra it accepts an unencrypted link.
        case .intent: link([("S.link", url(of: "recaptchaToken", token)), ("B.encryptionEnabled", "false")])
        }
    }

    /// Returns the link that tells the app why there is no token.
    public func link(error: VerifyAppError) -> DeepLink {
        switch opening {
        case .scheme: link(url(of: "firebaseError", error.json))
        case .intent: link([("S.firebaseError", error.json)])
        }
    }

    /// The prefix of every link to this app.
    var prefix: String {
        switch opening {
        case .scheme(let scheme): "\(scheme.name)://firebaseauth/link?deep_link_id="
        // What the SDK's activity accepts, as Chrome writes intents: scheme, host and path first, then the rest.
        case .intent(let packageName): "intent://firebase.auth/#Intent;scheme=recaptcha;package=\(packageName);"
        }
    }

    private func url(of name: String, _ value: String) -> String {
        "https://\(authDomain.text)/__/auth/callback?authType=verifyApp&eventId=\(eventID.text)"
            + "&\(name)=\(PercentEncoding.encode(value))"
    }

    /// Creates a link. The value is percent-encoded twice: the app's SDK parses the inner URL from the outer query, and
    /// the values from the inner query.
    private func link(_ inner: String) -> DeepLink { DeepLink(url: prefix + PercentEncoding.encode(inner)) }

    private func link(_ extras: [(name: String, value: String)]) -> DeepLink {
        let all = [("S.eventId", eventID.text)] + extras
        return DeepLink(url: prefix + all.map { "\($0)=\(PercentEncoding.encode($1));" }.joined() + "end")
    }
}

/// The URL scheme that opens a registered app.
///
/// It derives only from the identifiers of a registered app, never from the request. So the page is not an open
/// redirect: it cannot be made to send a token elsewhere.
public struct CallbackScheme: Sendable, Hashable {
    /// The scheme, without the colon.
    public let name: String

    /// Creates the scheme from the client id: its parts in reverse order, such as `com.googleusercontent.apps.123-abc`.
    /// Nil for an app without a client id.
    public init?(clientIDOf app: RegisteredApp) {
        guard let clientID = app.clientID else { return nil }
        name = clientID.split(separator: ".", omittingEmptySubsequences: false).reversed().joined(separator: ".")
    }

    /// Creates the scheme from the app id: `app-` and the app id with `-` for `:`, such as `app-1-123-ios-abc`. Nil for
    /// an app without an app id.
    public init?(appIDOf app: RegisteredApp) {
        guard let appID = app.appID else { return nil }
        name = "app-" + String(appID.map { $0 == ":" ? "-" : $0 })
    }
}

/// The URL that opens the app with the page's result. ``Callback`` creates it.
///
/// It may contain a token, so it is hidden when printed.
public struct DeepLink: Sendable, Equatable, Confidential {
    /// ASCII without spaces, quotes or `+`.
    public let url: String

    init(url: String) {
        self.url = url
    }
}
