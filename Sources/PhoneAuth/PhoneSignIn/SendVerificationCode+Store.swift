internal import Metrics
internal import Redis
public import RedisScripts

/// The outcome of a request to open a session.
public enum VerificationOpening: Sendable {
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

extension Store {
    /// Opens a session with its lock, its counts and its message, or finds the one that is already open, in one atomic
    /// step.
    ///
    /// The session is for this `binding`; wrong and correct codes count for the `client`, whatever their purpose, and
    /// wrong codes for its `widerNetworks`, if it is identified by its network.
    /// `isOfAccount` is true if the request carries an ID token of the account that holds the number. The limits of the
    /// number are logs that share a key, the longest window last; all other limits are rates. Times are in
    /// milliseconds; `now` is since the Unix epoch.
    /// - Throws: ``StoreUnavailable``; whether the step was executed is then unknown, and a retry is harmless.
    public func openVerification(
        id: VerificationID,
        phone: PhoneIdentity,
        sealedNumber: [UInt8],
        binding: String,
        client: String,
        widerNetworks: [ClientNetworks.Network],
        isOfAccount: Bool,
        purpose: String,
        codeSource: String,
        locale: String,
        ending: String,
        reference: DecisionReference,
        maskedNumber: String,
        region: String,
        proof: String,
        now: Int64,
        lockMilliseconds: Int64,
        sessionMilliseconds: Int64,
        attempts: Int,
        leastLifeToResendMilliseconds: Int64,
        numberLimits: [RateLimit],
        sharedLimits: [RateLimit],
        tollFraudCheck check: TollFraudCheck
    ) throws(StoreUnavailable) -> VerificationOpening {
        try confirmDeployment()
        // No message is sent to a test number.
        let rates = codeSource == "derived" ? sharedLimits : []
        let ranges = check.ranges
        let keys = NamedValues<String>(
            [
                "lockKey": KeyNames.lock(phone, binding: binding),
                "sessionKey": KeyNames.verification(id),
                "outboxKey": KeyNames.outbox(.messages, of: phone.project),
                "decisionsKey": KeyNames.sendDecisions(of: phone.project, reference),
                "knownClientsKey": KeyNames.knownClients(phone),
                "logKey": RateLimit.messages(to: phone, .day(1)).key,
                "regionKey": KeyNames.region(ranges),
                "seriesKey": KeyNames.series(ranges),
                "blockKey": KeyNames.block(ranges),
                "spendingKey": KeyNames.spending(of: phone.project, day: now / Self.dayMilliseconds),
            ],
            list: "limitKeys",
            rates.map(\.key)
        )
        let request = DecidedRequest(
            reference: reference,
            purpose: purpose,
            maskedNumber: maskedNumber,
            region: region,
            proof: proof,
            at: now,
            limits: numberLimits + rates
        )
        let expiresAt = now + sessionMilliseconds
        let details = StoredVerification.details(
            codeSource: codeSource,
            expiresAt: expiresAt,
            unlockedLife: max(0, sessionMilliseconds - lockMilliseconds),
            attempts: attempts,
            binding: binding,
            client: client,
            networks: widerNetworks.namesOfWrongCodes,
            createdAt: now,
            purpose: purpose
        )
        let message = MessageContent(
            purpose: purpose,
            queuedAt: now,
            price: check.price,
            ending: ending,
            locale: locale
        )
        let arguments: NamedValues<Argument> = [
            "now": .integer(now),
            "newID": .text(id.text),
            "newPhone": .bytes(sealedNumber),
            "codeSource": .text(codeSource),
            "client": .text(client),
            "expires": .integer(expiresAt),
            "details": .bytes(details),
            "flags": .flags([isOfAccount, check.isEnforced, check.isHardProof, check.challengesNewClients]),
            "region": .text(ranges.region),
            "price": .integer(check.price),
            "cap": check.cap.map { .integer($0) } ?? "",
            "message": .bytes(message.lines),
            "decision": .bytes(request.lines),
        ]
        let rules = SendRules(
            lockMilliseconds: lockMilliseconds,
            sessionMilliseconds: sessionMilliseconds,
            leastLifeToResendMilliseconds: leastLifeToResendMilliseconds,
            knownClientMilliseconds: check.knownClientMilliseconds,
            windows: numberLimits.map(\.window),
            rates: rates.map(\.window),
            ranges: check.bounds,
            nearCapPercent: check.nearCapPercent
        )
        let reply = try run(.sendVerificationCode, with: rules, isConfirmed: true, keys: keys, arguments)
        switch try reply.outcome() {
        case "opened": return .opened
        case "resent":
            return .resent(try sessionID(reply, phone.project), sealedNumber: try reply.bytes(at: 2))
        case "reentered":
            return .reentered(try sessionID(reply, phone.project), sealedNumber: try reply.bytes(at: 2))
        case "limited":
            return .limited(try ExceededRateLimit(reply, of: numberLimits + rates).reported())
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

/// The settings that all of a deployment's sends share: durations, bounds and the rate limits of a number.
struct SendRules: ScriptRules {
    let lockMilliseconds: Int64
    let sessionMilliseconds: Int64
    let leastLifeToResendMilliseconds: Int64
    let knownClientMilliseconds: Int64
    /// The windows of the number's messages, the longest one last.
    let windows: [RateLimit.Window]
    /// The windows of the rates, in the order of their keys.
    let rates: [RateLimit.Window]
    let ranges: RangeBounds
    let nearCapPercent: Int64

    /// Lua that declares the rules for `send-verification-code.lua`. Values that only Redis reads are strings. A window
    /// of the number's messages is its length (ms), its maximum, and what clients that are not known may use of it. A
    /// rate is interval, tolerance and furthest time (µs), the same two, and its length.
    var constants: String {
        """
        local lockLife,sessionLife=\(lockMilliseconds),'\(sessionMilliseconds)' \
        local leastLifeToResend,knownClientLife=\(leastLifeToResendMilliseconds),\(knownClientMilliseconds) \
        local maximumDecisions,decisionLife='\(Store.maximumDecisions)','\(Store.decisionMilliseconds)' \
        local windows={\(windows.map { "\($0.milliseconds),\(Self.maxima($0))" }.joined(separator: ","))} \
        local rates={\(rates.map(Self.text).joined(separator: ","))} \
        local windowLife='\(windows.map(\.milliseconds).max() ?? 1)' \
        local halfLife,rangeLife=\(ranges.halfLifeMilliseconds),'\(4 * ranges.halfLifeMilliseconds)' \
        local credit=\(ranges.creditPerVerified) \
        local allowanceOfRegion,allowanceOfSeries,allowanceOfBlock=\(ranges.region),\(ranges.series),\(ranges.block) \
        local deniedShare,nearCapPercent=\(StepUp.deniedShare),\(nearCapPercent)

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
