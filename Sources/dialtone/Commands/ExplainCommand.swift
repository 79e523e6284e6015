import ArgumentParser
import PhoneAuth
import RedisStore

/// `dialtone explain`.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Say why a code was refused or what became of its message, by the reference that the user was given.",
        discussion: "Remembered for 24 hours, less under many refusals. Numbers are masked."
    )

    @OptionGroup var settings: SettingsOptions
    @Argument(help: "The reference, such as 7K3M-9QXA-2BCD: Dialtone-Reference in the answer and the log.")
    var reference: String

    func run() throws {
        guard let known = DecisionReference(reference) else {
            throw Failure("a reference has twelve letters and digits, such as 7K3M-9QXA-2BCD")
        }
        let settings = try settings.load()
        let authenticator = settings.authenticator(try settings.loadKeys())
        let explanation: Explanation?
        do {
            explanation = try authenticator.explain(known)
        } catch {
            throw Failure("\(error)")
        }
        guard let explanation else { throw Failure("nothing is known of \(known.text), any more or at all") }
        for line in explanation.decision.lines { say(line) }
        for message in explanation.messages {
            for line in message.lines { say(line) }
        }
    }
}

extension DecisionRecord {
    fileprivate var lines: [String] {
        var lines = ["\(Instant(milliseconds: at).utc) \(operation)\(project.map { " in \($0)" } ?? "")"]
        if let maskedNumber {
            lines.append("number     \(maskedNumber)\(region.map { ", \($0)" } ?? ", of no region")")
        }
        if let proof { lines.append("app proof  \(proof)") }
        for (index, limit) in limits.enumerated() {
            let hours = limit.windowMilliseconds / 3_600_000
            lines.append(
                (index == 0 ? "limits     " : "           ")
                    + "\(limit.name), \(hours) h: \(limit.sends) of \(limit.maximum), this one until "
                    + Instant(milliseconds: at + limit.windowMilliseconds).utc
            )
        }
        switch breaker {
        case .clientKnown?: lines.append("breaker    not asked: the client signed in with this number before")
        case .judged(let stepUp)?: lines.append("breaker    \(stepUp)")
        case nil: break
        }
        lines.append("decision   \(outcome)\(detail.map { ": \($0)" } ?? "")")
        return lines
    }
}

extension MessageRecord {
    fileprivate var lines: [String] {
        guard state != nil else { return ["message    waiting or being sent"] }
        let had = tried.filter { $0 != gateway }
        var lines = [
            "message    " + (gateway.map { "to \($0)" } ?? "to no gateway")
                + (had.isEmpty ? "" : ", after \(had.joined(separator: ", "))")
        ]
        for time in times {
            lines.append("           \(Instant(milliseconds: time.at).utc) \(Self.words[time.state] ?? time.state)")
        }
        if let reason { lines.append("           \(reason)") }
        return lines
    }

    private static let words = [
        "accepted": "the gateway took it", "delivered": "the gateway reports it as delivered",
        "undelivered": "the gateway reports that it was not delivered",
        "unconfirmed": "the gateway did not report in time", "dead": "given up",
        "ended": "not sent: its session had ended",
    ]
}
