internal import Encodings
package import PhoneAuth
internal import RedisScripts

extension Explanation {
    /// The types of the records of explanations.
    package static var records: [any ReportRecord.Type] {
        [NumberRequest.self, DecisionRecord.self, CountedLimit.self, ExplainedMessage.self, MessageStep.self]
    }

    /// Adds the decision, and what happened to its messages.
    fileprivate func add(to report: inout Report, _ unset: UnsetGateways, dispatchers: Int, at now: Instant) {
        report.add(decision, decision.lines)
        for limit in decision.limits { report.add(limit) }
        let wait = unset.wait(waiting, in: decision.outbox, dispatchers: dispatchers, at: now)
        for message in messages {
            let explained = ExplainedMessage(record: message, wait: message.state == nil ? wait : nil)
            report.add(explained, explained.lines)
            for time in message.times {
                let step = MessageStep(state: time.state, at: time.at)
                report.add(step, ["           \(Instant(milliseconds: step.at).utc) \(step.text)"])
            }
            if let reason = message.reason { report.add(lines: ["           \(reason)"]) }
        }
    }
}

extension Authenticator {
    /// Returns a decision, and what happened to its messages; nil if there is none, it has expired, or it is of another
    /// project than the given one.
    /// - Throws: ``StoreUnavailable``.
    package func explanationReport(
        _ reference: DecisionReference,
        in project: Project? = nil,
        _ unset: UnsetGateways
    ) throws(StoreUnavailable) -> Report? {
        guard let explanation = try explain(reference) else { return nil }
        if let project, explanation.decision.project != project.id { return nil }
        var report = Report()
        explanation.add(to: &report, unset, dispatchers: try runningDispatchers(), at: environment.now())
        return report
    }
}

extension OperationContext {
    /// Returns the latest requests about a number, and what became of the last one and of the last message.
    /// - Throws: ``NumberRefusal``.
    package func explanationReport(
        ofNumber number: String,
        _ unset: UnsetGateways
    ) throws(NumberRefusal) -> Report {
        var report = Report()
        let requests = try requests(about: number)
        for request in requests.prefix(200) { report.add(request, [request.line]) }
        var told = requests.prefix(1)
        if let sent = requests.first(where: \.isSend), told.first?.isSend == false { told.append(sent) }
        guard !told.isEmpty else { return report }
        do {
            let dispatchers = try authenticator.runningDispatchers()
            for request in told {
                guard let explanation = try authenticator.explain(request.reference) else { continue }
                report.add(lines: [""])
                explanation.add(to: &report, unset, dispatchers: dispatchers, at: now)
            }
        } catch {
            throw .unavailable(error)
        }
        return report
    }
}

extension NumberRequest: ReportRecord {
    package static let type = "request"
    package static var members: ReportMembers<Self> {
        ["at": { $0.at }, "reference": { $0.reference.text }, "outcome": { $0.outcome }]
    }

    fileprivate var line: String { "\(at.utc)  \(reference.text)  \(outcome)" }
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
        // A denied message is queued only if decisions are just recorded.
        case .checked(let stepUp)?: "\(stepUp)\(stepUp.retryAfter > .zero && !limits.isEmpty ? ", only recorded" : "")"
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

/// A message, and why it still waits.
private struct ExplainedMessage: ReportRecord {
    let record: MessageRecord
    let wait: String?

    static let type = "message"
    static var members: ReportMembers<Self> {
        [
            "state": { $0.record.state ?? "waiting" }, "gateway": { $0.record.gateway },
            "gatewayId": { $0.record.gatewayID }, "channel": { $0.record.channel },
            "firstGateways": { $0.record.route.first },
            "whyFirst": { $0.record.route.first.isEmpty ? String?.none : $0.record.route.explanation },
            "tried": { $0.record.tried }, "reason": { $0.record.reason }, "wait": { $0.wait },
        ]
    }

    var lines: [String] {
        if let wait { return ["message    \(wait)"] }
        let had = record.tried.filter { $0 != record.gateway }
        var way = record.gateway.map { "to \($0)" } ?? "not sent to a gateway"
        if let channel = record.channel, channel != MessageChannel.sms.rawValue { way += " (\(channel))" }
        let first = record.route.first.joined(separator: ", ")
        return ["message    " + way + (had.isEmpty ? "" : ", after \(had.joined(separator: ", "))")]
            + (first.isEmpty ? [] : ["           first to \(first): \(record.route.explanation)"])
            + (record.gatewayID.map { ["           the gateway's id of the message is \($0)"] } ?? [])
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
