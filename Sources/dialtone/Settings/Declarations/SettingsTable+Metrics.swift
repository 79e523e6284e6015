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
