package import Encodings
package import PhoneAuth

extension Explanation {
    /// The types of the records of ``report(_:dispatchers:at:)``.
    package static var records: [any ReportRecord.Type] {
        [DecisionRecord.self, CountedLimit.self, MessageRecord.self, MessageStep.self]
    }

    /// Returns the decision, and what happened to its messages.
    package func report(_ unset: UnsetGateways, dispatchers: Int, at now: Instant) -> Report {
        var report = Report()
        report.add(decision, decision.lines)
        for limit in decision.limits { report.add(limit) }
        let wait = MessageWait(waiting, in: decision.outbox, unset, dispatchers: dispatchers, at: now)
        for message in messages {
            report.add(message, message.lines(wait))
            for time in message.times {
                let step = MessageStep(state: time.state, at: time.at)
                report.add(step, ["           \(Instant(milliseconds: step.at).utc) \(step.text)"])
            }
            if let reason = message.reason { report.add(lines: ["           \(reason)"]) }
        }
        return report
    }
}

extension DecisionRecord: ReportRecord {
    package static let type = "decision"
    package static var members: ReportMembers<Self> {
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
    package static let type = "limit"
    package static var members: ReportMembers<Self> {
        [
            "name": { $0.name }, "hours": { $0.windowMilliseconds / 3_600_000 }, "used": { $0.sends },
            "maximum": { $0.maximum },
        ]
    }
}

extension MessageRecord: ReportRecord {
    package static let type = "message"
    package static var members: ReportMembers<Self> {
        [
            "state": { $0.state ?? "waiting" }, "gateway": { $0.gateway }, "gatewayId": { $0.gatewayID },
            "channel": { $0.channel }, "firstGateways": { $0.route.first },
            "whyFirst": { $0.route.first.isEmpty ? String?.none : $0.route.explanation },
            "tried": { $0.tried }, "reason": { $0.reason },
        ]
    }

    fileprivate func lines(_ wait: MessageWait) -> [String] {
        guard state != nil else { return ["message    \(wait)"] }
        let had = tried.filter { $0 != gateway }
        var way = gateway.map { "to \($0)" } ?? "not sent to a gateway"
        if let channel, channel != MessageChannel.sms.rawValue { way += " (\(channel))" }
        let first = route.first.joined(separator: ", ")
        return ["message    " + way + (had.isEmpty ? "" : ", after \(had.joined(separator: ", "))")]
            + (first.isEmpty ? [] : ["           first to \(first): \(route.explanation)"])
            + (gatewayID.map { ["           the gateway's id of the message is \($0)"] } ?? [])
    }
}

/// When a message reached a state.
private struct MessageStep: ReportRecord {
    let state: String
    let at: Int64

    static let type = "step"
    static var members: ReportMembers<Self> { ["at": { $0.at }, "state": { $0.state }, "text": { $0.text }] }

    var text: String { Self.words[state] ?? state }

    private static let words = [
        "accepted": "the gateway accepted it", "delivered": "the gateway reports it as delivered",
        "undelivered": "the gateway reports that it was not delivered",
        "unconfirmed": "no delivery receipt arrived in time", "dead": "given up",
        "ended": "not sent: the session had ended", "late": "not sent: its link had expired",
        "unaddressed": "not sent: no account may receive it",
    ]
}
