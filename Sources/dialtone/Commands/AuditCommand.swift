import ArgumentParser
import Encodings
import PhoneAuth
import Redis
import RedisScripts
import Reports

/// `dialtone audit`.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Print the audit log: what happened to accounts, and what operators changed, in chronological order.",
        discussion: """
            Kinds: \(AuditEventKind.allCases.map(\.rawValue).joined(separator: ", ")).
            Phone numbers, e-mail addresses and networks are shown as keyed hashes: equal values have equal hashes.

            \(ReportOptions.help(AuditEvent.self))
            """
    )

    @OptionGroup var settings: SettingsOptions
    @Option(help: "Only events of this project.") var project: String?
    @Option(help: "Only events of the account with this uid. Much faster with --project.") var account: String?
    @Option(help: "Only events about this phone number in E.164 form, such as +16505550101.") var phone: String?
    @Option(
        parsing: .upToNextOption,
        help: "Only events of these kinds.",
        transform: { text in
            guard let kind = AuditEventKind(rawValue: text) else {
                throw ValidationError("not a kind of event; the help lists them")
            }
            return kind
        }
    )
    var kind: [AuditEventKind] = []
    @Option(
        help: "Only events of one request: its Dialtone-Reference, from the response or the log.",
        transform: readReference
    )
    var reference: DecisionReference?
    @Option(
        help: "Only events since this time: for example 7d, 24h, 90m or 30s ago, or 2026-01-31T08:15:30Z.",
        transform: { try readTime($0, now: Environment.system.now()) }
    )
    var since: Instant?
    @Flag(help: "Keep printing events as they happen, until Ctrl-C.") var follow = false
    @OptionGroup var report: ReportOptions

    func run() throws {
        let settings = try settings.load()
        let authenticator = settings.authenticator(try settings.loadKeys())
        guard settings.policy.auditRetention > .zero else {
            throw Failure("the audit log is off: \(DeploymentValues.name(of: \.policy.auditRetention)) is 0")
        }
        var filter = AuditFilter()
        filter.project = try project.map { try settings.project($0) } ?? settings.onlyProject
        filter.uid = account
        filter.phoneNumber = phone
        filter.kinds = Set(kind)
        filter.reference = reference
        filter.since = since
        var events = try Failure.wrapping(
            authenticator.auditEvents(filter, among: settings.projects),
            about: phone ?? ""
        )
        try printAll(&events)
        // Waits for less than the command timeout, so that the connection does not time out.
        while follow {
            try requireOutput()
            try events.wait(atMost: settings.redis.commandTimeout / 2)
            try printAll(&events)
        }
    }

    private func printAll(_ events: inout AuditEvents) throws(StoreUnavailable) {
        while let event = try events.next() {
            report.print(event, [event.line])
        }
    }

    private static func readTime(_ text: String, now: Instant) throws -> Instant {
        let units: [Character: Int64] = ["d": 86_400, "h": 3600, "m": 60, "s": 1]
        if let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()),
            (0...100_000_000).contains(count)
        {
            return Instant(milliseconds: now.milliseconds - count * unit * 1000)
        }
        guard let time = Instant(utc: text) else {
            throw ValidationError("not a period such as 7d, 24h or 90m, or a time such as 2026-01-31T08:15:30Z")
        }
        return time
    }
}
