internal import Encodings
internal import Glibc
package import PhoneAuth
internal import RedisScripts

extension NumberLimits {
    /// The types of the records of the reports of rate limits.
    package static var records: [any ReportRecord.Type] { [RateLimitUsage.self, WrongCodes.self] }
}

extension OperationContext {
    /// Returns how much of a number's rate limits is used.
    /// - Throws: ``NumberRefusal``.
    package func limitsReport(of number: String) throws(NumberRefusal) -> Report {
        let limits = try limits(of: number)
        var report = Report()
        report.add(lines: ["\(limits.phone) in \(project.id)"])
        for usage in limits.sends {
            report.add(usage, [usage.line(isReserved: limits.hasKnownClients || usage.limit.scope != .number)])
        }
        report.add(limits.wrongCodes, limits.wrongCodes.lines)
        if limits.wrongTestCodes.value > 0 { report.add(limits.wrongTestCodes, limits.wrongTestCodes.lines) }
        let ofNewClients = limits.wrongTestCodesOfNewClients
        if ofNewClients.events > 0 { report.add(ofNewClients, [ofNewClients.line(isReserved: true)]) }
        return report
    }

    /// Returns how much of a network's rate limits is used.
    /// - Throws: ``StoreUnavailable``.
    package func limitsReport(ofNetwork address: String) throws(StoreUnavailable) -> Report {
        report(of: try limits(ofNetwork: address), "network of \(address) in \(project.id)")
    }

    /// Returns how much of the rate limits of the project's sign-ups is used.
    /// - Throws: ``StoreUnavailable``.
    package func signUpLimitsReport() throws(StoreUnavailable) -> Report {
        report(of: try signUpLimits(), "sign-ups of \(project.id)")
    }

    private func report(of usages: [RateLimitUsage], _ title: String) -> Report {
        var report = Report()
        report.add(lines: [title])
        for usage in usages { report.add(usage, [usage.line(isReserved: true)]) }
        return report
    }
}

extension RateLimitUsage: ReportRecord {
    package static let type = "limit"
    package static var members: ReportMembers<Self> {
        [
            "name": { $0.name }, "hours": { $0.limit.window.milliseconds / 3_600_000 }, "used": { $0.events },
            "maximum": { $0.limit.window.maximum }, "reserved": { $0.limit.window.reserved },
            "oneFewerAt": { $0.nextLeaves },
        ]
    }

    private var name: String { limit.event == .messages ? limit.scope.name : limit.name }

    /// A line such as `number, 1 h    5 of 5, one fewer at 2026-01-01T12:00:00Z`.
    fileprivate func line(isReserved: Bool) -> String {
        let window = limit.window
        return "\(name), \(window.milliseconds / 3_600_000) h".padded + "\(events) of \(window.maximum)"
            + (isReserved && window.reserved > 0 ? " (\(window.reserved) for known clients)" : "")
            + (nextLeaves.map { ", one fewer at \($0.utc)" } ?? "")
    }
}

extension NumberLimits.WrongCodes: ReportRecord {
    package static let type = "wrong-codes"
    package static var members: ReportMembers<Self> {
        [
            "name": { $0.name }, "used": { $0.value }, "maximum": { $0.maximum }, "zeroAt": { $0.forgottenAt },
            "clientsWaitUntil": { $0.clientsWaitUntil },
        ]
    }

    private var name: String { areTestCodes ? "wrong test codes" : "wrong codes" }

    fileprivate var lines: [String] {
        let minutes = halfLife.components.seconds / 60
        let period = minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes) min"
        let all =
            name.padded + "\(value) of \(maximum)"
            + (forgottenAt.map { ", halved every \(period), zero at \($0.utc)" } ?? "")
        return [all] + clientsWaitUntil.map { "".padded + "a client must wait until \($0.utc)" }
    }
}

extension String {
    /// Whether the text is an IPv4 or IPv6 address.
    package var isIPAddress: Bool {
        var address = in6_addr()
        return inet_pton(AF_INET, self, &address) == 1 || inet_pton(AF_INET6, self, &address) == 1
    }

    /// The text padded to the longest name plus a gap.
    fileprivate var padded: String { self + String(repeating: " ", count: max(1, 20 - count)) }
}
