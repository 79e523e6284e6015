import RedisScripts
import Testing

@testable import dialtone

/// What doctor finds in the output of `systemctl show` about Dialtone's units, as systemd 252 writes it.
@Suite struct SystemdDoctorTests {
    private static let healthy = """
        Id=dialtone-worker@1.service
        LoadState=loaded
        ActiveState=active
        SubState=running
        Result=success
        NRestarts=0
        UnitFileState=enabled
        TimeoutStopUSec=30s
        NeedDaemonReload=no
        MainPID=0

        Id=dialtone-worker.socket
        LoadState=loaded
        ActiveState=active
        SubState=running
        Result=success
        UnitFileState=enabled
        NeedDaemonReload=no

        """

    /// Returns the findings that are not fine as lines.
    private func findings(_ shown: String) -> [String] {
        SystemdChecks(shown: shown, settings: nil) { _ in "first\nlast words\n" }.findings()
            .filter { $0.severity != .fine }.map { "\($0.severity) \($0.subject): \($0.text) → \($0.remedy ?? "")" }
    }

    @Test("units that run have no findings, and neither has a machine without them")
    func fine() {
        #expect(findings(Self.healthy) == [])
        #expect(findings("Id=dialtone-dispatcher.service\nLoadState=not-found\nActiveState=inactive\n") == [])
    }

    @Test(
        "a unit that does not run is found with the end of its log",
        arguments: [
            ("failed", "failed", "exit-code", "failed, exit-code: last words"),
            ("failed", "failed", "watchdog", "failed, watchdog: last words"),
            ("activating", "auto-restart", "exit-code", "fails and is restarted again and again: last words"),
            ("activating", "start", "success", "activating: last words"),
        ]
    )
    func stopped(state: String, subState: String, result: String, text: String) {
        let shown = Self.healthy.replacing(
            "ActiveState=active\nSubState=running\nResult=success\nNRestarts",
            with: "ActiveState=\(state)\nSubState=\(subState)\nResult=\(result)\nNRestarts"
        )
        let name = "dialtone-worker@1.service"
        #expect(findings(shown) == ["critical \(name): \(text) → journalctl -u \(name)"])
    }

    @Test("a unit that was restarted, is not enabled, or has a changed file is found, and so are missing workers")
    func other() {
        let name = "dialtone-worker@1.service"
        let restarted = findings(Self.healthy.replacing("NRestarts=0", with: "NRestarts=3"))
        let text = "restarted 3 times since it was started: last words"
        #expect(restarted == ["advice \(name): \(text) → journalctl -u \(name)"])
        let units = Self.healthy.split(separator: "\n\n").map(String.init)
        let worker = units[0]
        let disabled = findings(worker.replacing("=enabled", with: "=disabled"))
        #expect(disabled.count == 1 && disabled[0].hasSuffix("→ systemctl enable \(name)"))
        let changed = findings(worker.replacing("Reload=no", with: "Reload=yes"))
        #expect(changed.count == 1 && changed[0].hasSuffix("→ systemctl daemon-reload && systemctl restart \(name)"))
        let inactive = worker.replacing("ActiveState=active", with: "ActiveState=inactive")
        #expect(findings(inactive)[0].hasSuffix("→ systemctl enable --now \(name)"))
        let socket = findings(units[1])
        #expect(socket.count == 1 && socket[0].hasPrefix("critical workers: no worker runs"))
    }
}
