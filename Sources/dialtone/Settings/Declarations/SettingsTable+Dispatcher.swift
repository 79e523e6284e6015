import Delivery

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
