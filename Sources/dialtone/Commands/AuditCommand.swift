import ArgumentParser
import PhoneAuth
import Redis
import RedisStore

/// `dialtone audit`.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Print what happened to accounts, in the order of time.",
        discussion: """
            Kinds: \(AuditEventKind.allCases.map(\.rawValue).joined(separator: ", ")).
            Numbers, e-mail addresses and networks are keyed hashes: the same one is the same text.
            """
    )

    @OptionGroup var settings: SettingsOptions
    @Option(help: "Events of one project.") var project: String?
    @Option(help: "Events of one account: its uid. With a project they are found at once.") var account: String?
    @Option(help: "Events about a number in E.164 form, such as +16505550101.") var phone: String?
    @Option(
        parsing: .upToNextOption,
        help: "Events of these kinds.",
        transform: { text in
            guard let kind = AuditEventKind(rawValue: text) else { throw ValidationError("there is no such kind") }
            return kind
        }
    )
    var kind: [AuditEventKind] = []
    @Option(help: "Events of one request: Dialtone-Reference in its answer and the log.") var reference: String?
    @Option(
        help: "Events since then: so many days, hours, minutes or seconds ago, as 7d or 90m, or 2026-01-31T08:15:30Z."
    )
    var since: String?
    @Flag(help: "Go on with events that come, until Ctrl-C.") var follow = false
    @Flag(help: "A JSON object a line.") var json = false

    func run() throws {
        let settings = try settings.load()
        let authenticator = settings.authenticator(try settings.loadKeys())
        guard settings.policy.auditRetention > .zero else {
            throw Failure("no audit log is kept: \(DeploymentValues.name(of: \.policy.auditRetention)) is 0")
        }
        var filter = AuditFilter()
        filter.project = try project.map { try settings.project($0) } ?? settings.onlyProject
        filter.uid = account
        filter.phoneNumber = phone
        filter.kinds = Set(kind)
        filter.reference = try reference.map(readReference)
        filter.since = try since.map { try readTime($0, now: authenticator.environment.now()) }
        do {
            var events = try authenticator.auditEvents(filter, among: settings.projects)
            try printAll(&events)
            // Waits less than the command time-out, so that the connection does not time out.
            while follow {
                try events.wait(atMost: settings.redis.commandTimeout / 2)
                try printAll(&events)
            }
        } catch AuditRefusal.numberInvalid {
            throw Failure("that is no possible phone number in E.164 form")
        } catch {
            throw Failure("\(error)")
        }
    }

    private func printAll(_ events: inout AuditEvents) throws(StoreUnavailable) {
        while let event = try events.next() {
            say(json ? String(decoding: event.json, as: UTF8.self) : event.line)
        }
    }

    private func readReference(_ text: String) throws(Failure) -> DecisionReference {
        guard let reference = DecisionReference(text) else {
            throw Failure("a reference has twelve letters and digits, such as 7K3M-9QXA-2BCD")
        }
        return reference
    }

    private func readTime(_ text: String, now: Instant) throws(Failure) -> Instant {
        let units: [Character: Int64] = ["d": 86_400, "h": 3600, "m": 60, "s": 1]
        if let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()),
            (0...100_000_000).contains(count)
        {
            return Instant(milliseconds: now.milliseconds - count * unit * 1000)
        }
        guard let time = Instant(utc: text) else {
            throw Failure("--since: expected a time ago, such as 7d, 24h or 90m, or one such as 2026-01-31T08:15:30Z")
        }
        return time
    }
}

extension AuditEvent {
    /// A line such as `2026-01-31T08:15:30Z sign-in phone  my-project/uid  by user  7K3M-9QXA-2BCD  …`.
    fileprivate var line: String {
        var parts = [
            "\(Instant(milliseconds: at).utc) \(kind)\(detail.map { " \($0)" } ?? "")", "\(project)/\(uid)",
            "by \(actor)",
        ]
        if let reference { parts.append("reference \(reference.text)") }
        if let networkHash { parts.append("network \(networkHash)") }
        return (parts + identifiers).joined(separator: "  ")
    }
}
