/// All settings, in the order of the example file.
enum SettingsTable {
    static var sections: [SettingsSection] {
        [
            SettingsSection("Projects", projectNames, projects),
            SettingsSection("Apps", appNames, apps),
            SettingsSection("Keys", keys),
            SettingsSection("Numbering data", numbering),
            SettingsSection("Redis", redis),
            SettingsSection("Worker", mode, worker),
            SettingsSection("Sessions and tokens", sessions),
            SettingsSection("Audit log", auditLog),
            SettingsSection("Rate limits", introduction: rateLimitIntroduction, rateLimits),
            SettingsSection("Outgoing requests", outgoingProxy),
            SettingsSection("SMS gateways", gatewayNames, gateways, receipts),
            SettingsSection("Toll fraud (SMS pumping)", gatewayPrices, tollFraud),
            SettingsSection("Dispatcher", dispatcher),
            SettingsSection("Metrics", metrics),
        ]
    }

    /// Returns the settings of one scope.
    static func settings<Values>(of values: Values.Type = Values.self) -> [Setting<Values>] {
        sections.flatMap(\.settings).compactMap { $0 as? Setting<Values> }
    }
}

extension Array {
    /// Returns the setting that a property belongs to.
    func declaring<Values>(_ property: PartialKeyPath<Values>) -> Element where Element == Setting<Values> {
        guard let setting = first(where: { $0.property == property }) else {
            preconditionFailure("\(property) belongs to no setting")
        }
        return setting
    }
}
