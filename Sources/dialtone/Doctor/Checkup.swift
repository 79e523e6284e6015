import RedisScripts
import Reports

/// The findings of `dialtone doctor`, in groups.
struct Checkup {
    private var groups: [(area: String, findings: [Finding])] = []

    /// Adds findings about an area, such as `nginx`.
    mutating func add(_ area: String, _ findings: [Finding]) {
        if findings.isEmpty { return }
        if let index = groups.firstIndex(where: { $0.area == area }) {
            groups[index].findings += findings
        } else {
            groups.append((area, findings))
        }
    }

    /// Whether users are or will be refused, or something is or will be lost.
    var hasErrors: Bool { count(.critical) > 0 }

    private func count(_ severity: Finding.Severity) -> Int {
        groups.reduce(0) { $0 + $1.findings.count { $0.severity == severity } }
    }

    /// The findings that need attention, or all of them, and one line with their numbers.
    func lines(all: Bool) -> [String] {
        var lines: [String] = []
        for (area, findings) in groups {
            let shown = findings.filter { all || $0.severity != .fine }
            if shown.isEmpty { continue }
            lines.append(area)
            for finding in shown {
                lines.append("\(finding.severity.label)\(finding.subject): \(finding.text)")
                if let remedy = finding.remedy { lines.append("        → \(remedy)") }
            }
            lines.append("")
        }
        return lines + [summary]
    }

    private var summary: String {
        let total = groups.reduce(0) { $0 + $1.findings.count }
        let (errors, unknown) = (count(.critical), count(.unknown))
        let parts = [
            errors > 0 ? "\(errors) error\(errors == 1 ? "" : "s")" : nil,
            count(.advice) > 0 ? "\(count(.advice)) advice" : nil, unknown > 0 ? "\(unknown) unknown" : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? "healthy: \(total) checks" : "\(parts.joined(separator: ", ")) of \(total) checks"
    }

    var findings: [AreaFinding] { groups.flatMap { area, findings in findings.map { AreaFinding(area, $0) } } }

    struct AreaFinding: ReportRecord {
        let area: String
        let finding: Finding

        init(_ area: String, _ finding: Finding) { (self.area, self.finding) = (area, finding) }

        static let type = "finding"
        static var members: ReportMembers<Self> {
            [
                "area": { $0.area }, "subject": { $0.finding.subject }, "severity": { $0.finding.severity.name },
                "text": { $0.finding.text }, "remedy": { $0.finding.remedy },
            ]
        }
    }
}

extension Finding.Severity {
    fileprivate var label: String {
        switch self {
        case .fine: "ok      "
        case .advice: "advice  "
        case .unknown: "unknown "
        case .critical: "ERROR   "
        }
    }

    fileprivate var name: String {
        switch self {
        case .fine: "ok"
        case .advice: "advice"
        case .unknown: "unknown"
        case .critical: "error"
        }
    }
}

extension Finding {
    /// Returns one finding for a check: what is wrong if there is something wrong, or else what is right.
    static func check(
        _ subject: String,
        _ text: String,
        wrong: (severity: Severity, text: String, remedy: String)?
    ) -> Finding {
        guard let wrong else { return .fine(subject, text) }
        return Finding(wrong.severity, subject, wrong.text, remedy: wrong.remedy)
    }
}
