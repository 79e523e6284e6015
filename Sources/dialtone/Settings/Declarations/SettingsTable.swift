import Delivery

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
            SettingsSection("SMS gateways and mail gateways", gatewayNames, gateways, httpGateways, receipts),
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

/// A section of the example file.
struct SettingsSection {
    let title: String
    /// A text that applies to all settings of the section.
    let introduction: String?
    /// The settings in the order of the example file.
    let settings: [any AnySetting]

    init(_ title: String, introduction: String? = nil, _ settings: [any AnySetting]...) {
        self.title = title
        self.introduction = introduction
        self.settings = Array(settings.joined())
    }
}

extension SettingsTable {
    static var dispatcher: [Setting<DeploymentValues>] {
        [
            Setting("APNS_PRODUCTION_URL", \.apns.production, .origin) {
                """
                The server for pushes in the production environment, Apple's or your proxy: https://host or
                https://host:port.
                """
            },
            Setting("APNS_SANDBOX_URL", \.apns.sandbox, .origin) {
                "The server for pushes in the sandbox environment."
            },
            Setting(
                "APNS_TRUST_FILE",
                \.apnsTrustFile,
                .text,
                unset: "the system's certificates",
                example: "/etc/dialtone/proxy-ca.pem"
            ) {
                "A PEM file with the CA certificates to trust for these servers."
            },
        ]
    }
}

extension SettingKind<PushOrigin> {
    fileprivate static var origin: Self {
        SettingKind(form: "https://host or https://host:port", parse: { PushOrigin($0) }, show: \.description)
    }
}

extension SettingsTable {
    static var metrics: [Setting<DeploymentValues>] {
        [
            Setting(
                "METRICS_FOLDER",
                \.metricsFolder,
                .text("an absolute path") { $0.hasPrefix("/") },
                unset: "/metrics responds with 503",
                example: "/run/dialtone/metrics"
            ) {
                """
                The folder in which workers and dispatchers of this machine share their metrics, on an in-memory file
                system. Each process keeps a file there, so any worker can report the metrics of all at /metrics. The
                systemd units set it.
                """
            }
        ]
    }
}
