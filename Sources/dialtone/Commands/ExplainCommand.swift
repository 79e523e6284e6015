import ArgumentParser
import Encodings
import PhoneAuth
import RedisScripts

/// `dialtone explain`.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract:
            "Explain why a request for a code or a sign-in was refused, and what happened to the message.",
        discussion: "Decisions are kept for 24 hours, or less if many requests are refused. Phone numbers are masked."
    )

    @OptionGroup var settings: SettingsOptions
    @Argument(help: "The reference, such as 7K3M-9QXA-2BCD: Dialtone-Reference in the response and the log.")
    var reference: String

    func run() throws {
        let known = try readReference(reference)
        let settings = try settings.load()
        let authenticator = settings.authenticator(try settings.loadKeys())
        let explanation = try authenticator.explain(known)
        guard let explanation else {
            throw Failure("\"\(known.text)\": no decision with this reference, or it has expired")
        }
        for line in explanation.decision.lines { printLine(line) }
        let wait = MessageWait(
            explanation.waiting,
            dispatchers: try authenticator.runningDispatchers(),
            at: authenticator.environment.now()
        )
        for message in explanation.messages {
            for line in message.lines(wait) { printLine(line) }
        }
    }
}

extension DecisionRecord {
    fileprivate var lines: [String] {
        var lines = ["\(Instant(milliseconds: at).utc) \(operation)\(project.map { " in \($0)" } ?? "")"]
        if let maskedNumber {
            lines.append("number     \(maskedNumber)\(region.map { ", \($0)" } ?? "")")
        }
        if let proof { lines.append("app proof  \(proof)") }
        for (index, limit) in limits.enumerated() {
            let hours = limit.windowMilliseconds / 3_600_000
            // In shared limits, which are rates, a message does not count for a fixed time.
            let isLog = limit.name == RateLimit.Scope.number.name
            let end = Instant(milliseconds: at + limit.windowMilliseconds).utc
            lines.append(
                (index == 0 ? "limits     " : "           ")
                    + "\(limit.name), \(hours) h: \(limit.sends) of \(limit.maximum)"
                    + (isLog ? ", this one counts until \(end)" : "")
            )
        }
        switch breaker {
        case .clientKnown?: lines.append("breaker    skipped: the client signed in with this number before")
        case .checked(let stepUp)?: lines.append("breaker    \(stepUp)")
        case nil: break
        }
        lines.append("decision   \(outcome)\(detail.map { ": \($0)" } ?? "")")
        return lines
    }
}

extension MessageRecord {
    fileprivate func lines(_ wait: MessageWait) -> [String] {
        guard state != nil else { return ["message    \(wait)"] }
        let had = tried.filter { $0 != gateway }
        var lines = [
            "message    " + (gateway.map { "to \($0)" } ?? "not sent to a gateway")
                + (had.isEmpty ? "" : ", after \(had.joined(separator: ", "))")
        ]
        if let gatewayID { lines.append("           the gateway's id of the message is \(gatewayID)") }
        for time in times {
            lines.append("           \(Instant(milliseconds: time.at).utc) \(Self.words[time.state] ?? time.state)")
        }
        if let reason { lines.append("           \(reason)") }
        return lines
    }

    private static let words = [
        "accepted": "the gateway accepted it", "delivered": "the gateway reports it as delivered",
        "undelivered": "the gateway reports that it was not delivered",
        "unconfirmed": "no delivery receipt arrived in time", "dead": "given up",
        "ended": "not sent: the session had ended",
    ]
}

/// Parses the reference of a decision.
/// - Throws: ``Failure`` if the text is not a reference.
func readReference(_ text: String) throws(Failure) -> DecisionReference {
    guard let reference = DecisionReference(text) else {
        throw Failure("\"\(text)\": not a reference of 12 letters and digits, such as 7K3M-9QXA-2BCD")
    }
    return reference
}
