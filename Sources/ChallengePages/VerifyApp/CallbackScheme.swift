public import PhoneAuth

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
