import Glibc
import Processes
import RedisScripts

/// Checks of Dialtone's units, if systemd runs on this machine.
struct SystemdChecks {
    /// The properties of each unit, by name.
    let units: [[String: String]]
    /// Nil if the settings have faults.
    let settings: Settings?
    /// Returns the last line of a unit's log.
    let lastLine: (_ unit: String) -> String?

    private static let properties = [
        "Id", "LoadState", "ActiveState", "SubState", "Result", "NRestarts", "UnitFileState", "TimeoutStopUSec",
        "NeedDaemonReload", "MainPID",
    ]

    /// Returns the findings; none if systemd does not run, or does not know Dialtone's units.
    static func findings(_ settings: Settings?) -> [Finding] {
        guard access("/run/systemd/system", F_OK) == 0 else { return [] }
        let patterns = ["dialtone-worker@*.service", "dialtone-worker.socket", "dialtone-dispatcher.service"]
        let options = ["show", "--property=\(properties.joined(separator: ","))"]
        guard let shown = try? FinishedProcess.run("systemctl", options + patterns, atMost: .seconds(10)) else {
            return []
        }
        return SystemdChecks(shown: shown.output, settings: settings) { unit in
            let arguments = ["--unit=\(unit)", "--lines=1", "--output=cat", "--quiet"]
            return (try? FinishedProcess.run("journalctl", arguments, atMost: .seconds(10)))?.output
        }.findings()
    }

    /// Reads the output of `systemctl show`: lines `Name=value`, with an empty line between units.
    init(shown: String, settings: Settings?, lastLine: @escaping (_ unit: String) -> String?) {
        units = shown.split(separator: "\n\n").map { unit in
            let pairs = unit.split(separator: "\n").compactMap { line in
                line.firstIndex(of: "=").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
            }
            return Dictionary(pairs) { first, _ in first }
        }
        self.settings = settings
        self.lastLine = lastLine
    }

    func findings() -> [Finding] {
        let installed = units.filter { $0["LoadState"] == "loaded" }
        guard !installed.isEmpty else { return [] }
        let workers = installed.filter { $0["Id"]?.hasPrefix("dialtone-worker@") == true }
        let needsDispatcher = settings.map { $0.gateways.routes != nil || !$0.apnsCredentials.isEmpty } ?? false
        var findings = installed.flatMap { unit -> [Finding] in
            let isIdleDispatcher = unit["Id"] == "dialtone-dispatcher.service" && !needsDispatcher
            return isIdleDispatcher && unit["ActiveState"] == "inactive" ? [] : self.findings(about: unit)
        }
        if workers.isEmpty {
            let text = "no worker runs: the next connection starts dialtone-worker@1"
            let remedy = "systemctl enable --now dialtone-worker@1 dialtone-worker@2"
            findings.append(Finding(.critical, "workers", text, remedy: remedy))
        }
        return findings
    }

    private func findings(about unit: [String: String]) -> [Finding] {
        let name = unit["Id"] ?? ""
        var findings = [state(of: unit, name)]
        if unit["ActiveState"] == "active", unit["UnitFileState"] == "disabled" {
            let text = "not enabled: it does not start when the machine does"
            findings.append(Finding(.advice, name, text, remedy: "systemctl enable \(name)"))
        }
        if unit["NeedDaemonReload"] == "yes" {
            let text = "its file has changed since systemd read it"
            let remedy = "systemctl daemon-reload && systemctl restart \(name)"
            findings.append(Finding(.advice, name, text, remedy: remedy))
        }
        if let id = unit["MainPID"], id != "0", Self.runsReplacedProgram(id) {
            let text = "it runs a program that has been replaced since its start"
            findings.append(Finding(.advice, name, text, remedy: "systemctl restart \(name)"))
        }
        if let stop = unit["TimeoutStopUSec"].flatMap(Self.seconds), let settings, name.contains("worker@") {
            let needed = settings.drain + settings.requestDeadline
            findings.append(
                .check(
                    "TimeoutStopSec of \(name)",
                    "\(stop) s",
                    wrong: .seconds(stop) < needed
                        ? (
                            .advice,
                            "\(stop) s, but a worker drains and completes its requests for up to \(needed): it is killed",
                            "systemctl edit dialtone-worker@.service: TimeoutStopSec= of \(needed) or more"
                        ) : nil
                )
            )
        }
        return findings
    }

    private func state(of unit: [String: String], _ name: String) -> Finding {
        let state = unit["ActiveState"] ?? ""
        let restarts = unit["NRestarts"].flatMap { Int($0) } ?? 0
        let isRestarting = unit["SubState"] == "auto-restart"
        guard state != "active" || restarts > 2 else { return .fine(name, "active") }
        let reason = lastLine(name)?.split(separator: "\n").last.map { ": \($0)" } ?? ""
        if state == "active" {
            let text = "restarted \(restarts) times since it was started\(reason)"
            return Finding(.advice, name, text, remedy: "journalctl -u \(name)")
        }
        let result = unit["Result"].map { $0 == "success" ? "" : ", \($0)" } ?? ""
        let text = isRestarting ? "fails and is restarted again and again" : "\(state)\(result)"
        let isStopped = state == "inactive" && result.isEmpty
        return Finding(
            .critical,
            name,
            text + reason,
            remedy: isStopped ? "systemctl enable --now \(name)" : "journalctl -u \(name)"
        )
    }

    private static func runsReplacedProgram(_ processID: String) -> Bool {
        var path = [UInt8](repeating: 0, count: 4096)
        let length = readlink("/proc/\(processID)/exe", &path, path.count)
        return length > 0 && String(decoding: path[..<length], as: UTF8.self).hasSuffix(" (deleted)")
    }

    /// Parses a duration as systemd prints it, such as `30s` or `1min 30s`; nil if it is unlimited.
    static func seconds(_ text: String) -> Int? {
        let units = ["h": 3600, "min": 60, "s": 1, "ms": 0, "us": 0]
        var sum = 0
        for part in text.split(separator: " ") {
            let number = part.prefix { $0.isNumber }
            guard let value = Int(number), let unit = units[String(part.dropFirst(number.count))] else { return nil }
            sum += value * unit
        }
        return sum
    }
}
