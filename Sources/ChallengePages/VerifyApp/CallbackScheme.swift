public import PhoneAuth

/// The URL scheme by which a registered app is called back.
///
/// It is made of a registered app's identifiers only, never of what a request says, so that the page cannot be made to send a token anywhere
/// else.
public struct CallbackScheme: Sendable, Hashable {
    /// The scheme, without the colon.
    public let name: String

    /// The client id with its parts in reverse order, such as `com.googleusercontent.apps.123-abc`; nil for an app without client id.
    public init?(clientIDOf app: RegisteredApp) {
        guard let clientID = app.clientID else { return nil }
        name = clientID.split(separator: ".", omittingEmptySubsequences: false).reversed().joined(separator: ".")
    }

    /// `app-` and the app id with `-` for `:`, such as `app-1-123-ios-abc`; nil for an app without app id.
    public init?(appIDOf app: RegisteredApp) {
        guard let appID = app.appID else { return nil }
        name = "app-" + String(appID.map { $0 == ":" ? "-" : $0 })
    }
}
