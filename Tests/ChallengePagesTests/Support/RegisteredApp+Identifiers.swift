import PhoneAuth

extension RegisteredApp {
    /// An app of which only the identifiers matter.
    init(bundleID: String, appID: String? = nil, clientID: String? = nil) throws(RegisteredAppError) {
        try self.init(name: "ios", bundleID: bundleID, appID: appID, clientID: clientID, hasPush: false)
    }
}
