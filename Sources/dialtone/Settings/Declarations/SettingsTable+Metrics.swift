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
                The folder in which workers and dispatchers of this machine share their metrics, on a file system in
                memory. Each keeps a file there, so whichever worker is asked for /metrics knows all. The systemd units
                set it.
                """
            }
        ]
    }
}
