import PhoneAuth

extension RegisteredApp {
    /// Creates an app with these identifiers.
    init(bundleID: String, appID: String? = nil, clientID: String? = nil) throws(RegisteredAppError) {
        try self.init(name: "ios", bundleID: bundleID, appID: appID, clientID: clientID, hasPush: false)
    }
}
