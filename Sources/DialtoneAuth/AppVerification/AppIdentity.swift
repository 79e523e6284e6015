internal import Foundation

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
