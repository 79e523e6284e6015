internal import Encodings
package import PhoneAuth

extension Report {
    /// Returns the report of events.
    package static func events(_ events: [AuditEvent]) -> Report {
        var report = Report()
        for event in events { report.add(event, [event.line]) }
        return report
    }
}

extension AuditEvent: ReportRecord {
    package static let type = "event"
    package static var members: ReportMembers<Self> {
        [
            "at": { $0.at }, "kind": { $0.kind }, "project": { $0.project.isEmpty ? String?.none : $0.project },
            "account": { $0.uid.isEmpty ? String?.none : $0.uid }, "actor": { $0.actor }, "detail": { $0.detail },
            "reference": { $0.reference?.text }, "network": { $0.networkHash }, "identifiers": { $0.identifiers },
        ]
    }

    /// A line such as `2026-01-31T08:15:30Z sign-in phone  my-project/uid  by user  7K3M-9QXA-2BCD  …`.
    package var line: String {
        var parts = [
            "\(Instant(milliseconds: at).utc) \(kind)\(detail.map { " \($0)" } ?? "")",
            uid.isEmpty ? (project.isEmpty ? "deployment" : project) : "\(project)/\(uid)",
            "by \(actor)",
        ]
        if let reference { parts.append("reference \(reference.text)") }
        if let networkHash { parts.append("network \(networkHash)") }
        return (parts + identifiers).joined(separator: "  ")
    }
}
