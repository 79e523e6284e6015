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
        discussion: """
            Decisions are kept for 24 hours, or less if many requests are refused. Phone numbers are masked.

            \(ReportOptions.help(DecisionRecord.self, CountedLimit.self, MessageRecord.self, MessageStep.self))
            """
    )

    @OptionGroup var settings: SettingsOptions
    @OptionGroup var report: ReportOptions
    @ArgumentParser.Argument(
        help: "The reference, such as 7K3M-9QXA-2BCD: Dialtone-Reference in the response and the log.",
        transform: readReference
    )
    var reference: DecisionReference

    func run() throws {
        let settings = try settings.load()
        let authenticator = settings.authenticator(try settings.loadKeys())
        let explanation = try authenticator.explain(reference)
        guard let explanation else {
            throw Failure("\"\(reference.text)\": no decision with this reference, or it has expired")
        }
        report.print(explanation.decision, explanation.decision.lines)
        for limit in explanation.decision.limits { report.print(limit, []) }
        let wait = MessageWait(
            explanation.waiting,
            in: explanation.decision.outbox,
            settings,
            dispatchers: try authenticator.runningDispatchers(),
            at: authenticator.environment.now()
        )
        for message in explanation.messages {
            report.print(message, message.lines(wait))
            for time in message.times { report.print(MessageStep(state: time.state, at: time.at), []) }
        }
    }
}

extension DecisionRecord: ReportRecord {
    static let type = "decision"
    static var members: ReportMembers<Self> {
        [
            "at": { $0.at }, "operation": { $0.operation }, "project": { $0.project }, "number": { $0.maskedNumber },
            "region": { $0.region }, "proof": { $0.proof }, "breaker": { $0.breakerText }, "outcome": { $0.outcome },
            "detail": { $0.detail },
        ]
    }

    private var breakerText: String? {
        switch breaker {
        case .clientKnown?: "skipped: the client signed in with this number before"
        case .checked(let stepUp)?: "\(stepUp)"
        case nil: nil
        }
    }

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
        if let breakerText { lines.append("breaker    \(breakerText)") }
        lines.append("decision   \(outcome)\(detail.map { ": \($0)" } ?? "")")
        return lines
    }
}

extension CountedLimit: ReportRecord {
    static let type = "limit"
    static var members: ReportMembers<Self> {
        [
            "name": { $0.name }, "hours": { $0.windowMilliseconds / 3_600_000 }, "used": { $0.sends },
            "maximum": { $0.maximum },
        ]
    }
}

/// When a message reached a state.
private struct MessageStep: ReportRecord {
    let state: String
    let at: Int64

    static let type = "step"
    static var members: ReportMembers<Self> { ["at": { $0.at }, "state": { $0.state }] }
}

extension MessageRecord: ReportRecord {
    static let type = "message"
    static var members: ReportMembers<Self> {
        [
            "state": { $0.state ?? "waiting" }, "gateway": { $0.gateway }, "gatewayId": { $0.gatewayID },
            "tried": { $0.tried }, "reason": { $0.reason },
        ]
    }

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
        "ended": "not sent: the session had ended", "late": "not sent: its link had expired",
        "unaddressed": "not sent: no account may receive it",
    ]
}

/// Parses the reference of a decision.
/// - Throws: `ValidationError` if the text is not a reference.
func readReference(_ text: String) throws -> DecisionReference {
    guard let reference = DecisionReference(text) else {
        throw ValidationError("not a reference of 12 letters and digits, such as 7K3M-9QXA-2BCD")
    }
    return reference
}
