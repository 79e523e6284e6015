internal import Encodings
internal import Metrics
internal import Redis
internal import RedisScripts

/// The outcome of a request to open a session.
enum VerificationOpening {
    /// The session was created and its message is queued.
    case opened
    /// The client's earlier session is open; its message is queued again.
    case resent(VerificationID, sealedNumber: [UInt8])
    /// The client's earlier session is open and locked; no message is queued.
    case reentered(VerificationID, sealedNumber: [UInt8])
    /// A rate limit was exceeded; nothing was changed.
    case limited(ExceededRateLimit)
    /// Sends to new clients are stepped up; nothing was changed.
    case steppedUp(StepUp)
}

/// A session to open and its message, with what decides whether the message is sent.
struct VerificationToOpen {
    let ticket: VerificationTicket
    let sealedNumber: [UInt8]
    let phone: PhoneIdentity
    let client: VerificationClient
    /// Whether the request carries an ID token of the account that holds the number.
    let isOfAccount: Bool
    let message: MessageContent
    let routing: MessageRouting
    let decision: DecidedRequest
    let check: TollFraudCheck
}

extension Store {
    /// Opens a session with its lock, its counts and its message, or finds the one that is already open, in one atomic
    /// step.
    /// - Throws: ``StoreUnavailable``; whether the step was executed is then unknown, and a retry is harmless.
    func openVerification(
        _ new: VerificationToOpen,
        under policy: Policy
    ) throws(StoreUnavailable) -> VerificationOpening {
        try confirmDeployment()
        let (phone, check, now) = (new.phone, new.check, new.decision.at)
        let (limits, ranges) = (new.decision.limits, check.ranges)
        let logs = limits.prefix(while: \.isLog)
        let rates = limits.dropFirst(logs.count)
        let keys = NamedValues<String>(
            [
                "lockKey": KeyNames.lock(phone, binding: new.client.binding),
                "sessionKey": KeyNames.verification(new.ticket.id),
                "outboxKey": KeyNames.outbox(.messages, of: phone.project),
                "decisionsKey": KeyNames.sendDecisions(of: phone.project, new.decision.reference),
                "knownClientsKey": KeyNames.knownClients(phone),
                "logKey": RateLimit.messages(to: phone, .day(1)).key,
                "regionKey": KeyNames.region(ranges),
                "seriesKey": KeyNames.series(ranges),
                "blockKey": KeyNames.block(ranges),
                "spendingKey": KeyNames.spending(of: phone.project, day: now.milliseconds / Self.dayMilliseconds),
            ],
            list: "limitKeys",
            rates.map(\.key)
        )
        let details = StoredVerification.details(of: new.ticket, for: new.client, under: policy, at: now)
        let arguments: NamedValues<Argument> = [
            "now": .integer(now.milliseconds),
            "newID": .text(new.ticket.id.text),
            "newPhone": .bytes(new.sealedNumber),
            "codeSource": .text(new.ticket.codeSource.rawValue),
            "client": .text(new.client.hash),
            "expires": .integer((now + policy.verificationLifetime).milliseconds),
            "details": .bytes(details),
            "flags": .flags([new.isOfAccount, check.isEnforced, check.isHardProof, check.challengesNewClients]),
            "region": .text(ranges.region),
            "price": .integer(check.price.micros),
            "cap": check.cap.map { .integer($0.micros) } ?? "",
            "message": .bytes(new.message.lines),
            "route": .text(new.routing.first.route.stored),
            "resend": new.routing.resend.map { .bytes(new.message.lines(sentAgainBy: $0)) } ?? "",
            "decision": .bytes(new.decision.lines),
        ]
        let rules = SendRules(
            lockLife: policy.lockLifetime,
            sessionLife: policy.verificationLifetime,
            leastLifeToResend: policy.leastLifeToResend,
            windows: logs.map(\.window),
            rates: rates.map(\.window),
            ranges: check.bounds
        )
        let call = ScriptCall(.sendVerificationCode, with: rules, keys: keys, arguments)
        let reply = try run(call, isConfirmed: true)
        switch try reply.outcome() {
        case "opened": return .opened
        case "resent":
            return .resent(try sessionID(reply, phone.project), sealedNumber: try reply.bytes(at: 2))
        case "reentered":
            return .reentered(try sessionID(reply, phone.project), sealedNumber: try reply.bytes(at: 2))
        case "limited":
            return .limited(try ExceededRateLimit(reply, of: limits).reported())
        case "stepped-up":
            let words = try reply.text(at: 1).split(separator: " ").map(String.init)
            guard let stepUp = StepUp(words) else { throw .unexpectedReply }
            MetricFamily.smsBreakerDecisions.count(stepUp.reason, ranges.region)
            return .steppedUp(stepUp)
        default:
            throw .unexpectedReply
        }
    }

    private func sessionID(_ reply: ScriptReply, _ project: String) throws(StoreUnavailable) -> VerificationID {
        guard let id = VerificationID(project: project, text: try reply.bytes(at: 1)) else { throw .unexpectedReply }
        return id
    }
}

extension MessageContent {
    /// Returns the lines for a message that is sent again, which has another route: its price and its route precede
    /// them.
    fileprivate func lines(sentAgainBy route: PricedRoute) -> [UInt8] {
        var (content, lines) = (self, [UInt8]())
        content.price = route.price
        lines.appendLine(route.price.micros)
        lines.appendLine(route.route.stored)
        return lines + content.lines
    }
}

/// The settings that all of a deployment's sends share: durations, bounds and the rate limits of a number.
struct SendRules: ScriptRules {
    let lockLife: Duration
    let sessionLife: Duration
    let leastLifeToResend: Duration
    /// The windows of the number's messages, the longest one last.
    let windows: [RateLimit.Window]
    /// The windows of the rates, in the order of their keys.
    let rates: [RateLimit.Window]
    let ranges: RangeBounds

    /// Lua that declares the rules for `send-verification-code.lua`. Values that only Redis reads are strings. A window
    /// of the number's messages is its length (ms), its maximum, and what clients that are not known may use of it. A
    /// rate is interval, tolerance and furthest time (µs), the same two, and its length.
    var constants: String {
        """
        local lockLife,sessionLife=\(lockLife.milliseconds),'\(sessionLife.milliseconds)' \
        local leastLifeToResend=\(leastLifeToResend.milliseconds) \
        local knownClientLife=\(KnownClients.memory.milliseconds) \
        local maximumDecisions,decisionLife='\(Store.maximumDecisions)','\(Store.decisionMilliseconds)' \
        local windows={\(windows.map { "\($0.milliseconds),\(Self.maxima($0))" }.joined(separator: ","))} \
        local rates={\(rates.map(Self.text).joined(separator: ","))} \
        local windowLife='\(windows.map(\.milliseconds).max() ?? 1)' \
        local halfLife,rangeLife=\(ranges.halfLifeMilliseconds),'\(4 * ranges.halfLifeMilliseconds)' \
        local credit=\(ranges.creditPerVerified) \
        local allowanceOfRegion,allowanceOfSeries,allowanceOfBlock=\(ranges.region),\(ranges.series),\(ranges.block) \
        local deniedShare,nearCapPercent=\(StepUp.deniedShare),\(TollFraudPolicy.nearCapPercent)

        """
    }

    private static func maxima(_ window: RateLimit.Window) -> String {
        "\(window.maximum),\(window.maximum - window.reserved)"
    }

    private static func text(of rate: RateLimit.Window) -> String {
        let cell = CellRate(window: rate)
        return "\(cell.interval),\(cell.tolerance),\(cell.furthest),\(maxima(rate)),'\(rate.milliseconds)'"
    }
}
