internal import Metrics
internal import Redis

/// The outcome of a request to open a session.
public enum SessionOpening: Sendable {
    /// The session was created and its message is queued.
    case opened
    /// The client's earlier session is open; its message is queued again.
    case resent(SessionID, sealedNumber: [UInt8])
    /// The client's earlier session is open and locked; no message is queued.
    case reentered(SessionID, sealedNumber: [UInt8])
    /// A rate limit was exceeded; nothing was changed.
    case limited(ExceededRateLimit)
    /// Sends to new clients are stepped up; nothing was changed.
    case steppedUp(StepUp)
}

extension Store {
    /// Opens a session with its lock, counters and message in one atomic step, or finds the one that is already open.
    ///
    /// The session is for this `binding`; wrong and correct codes count for the `client`, whatever their purpose.
    /// `isOfAccount` is true if the request carries an ID token of the account that holds the number. Limits that share
    /// a key are adjacent, the longest window last. Times are in milliseconds; `now` is since the Unix epoch.
    /// - Throws: ``StoreUnavailable``; whether the step was executed is then unknown, and a retry is harmless.
    public func openSession(
        id: SessionID,
        phone: PhoneIdentity,
        sealedNumber: [UInt8],
        binding: String,
        client: String,
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
        sendLimits: [RateLimit],
        tollFraudCheck check: TollFraudCheck
    ) throws(StoreUnavailable) -> SessionOpening {
        let (windowKeys, limits) = Self.windows(of: sendLimits)
        let keys = NamedValues(
            [
                "lockKey": KeyNames.lock(phone, binding: binding),
                "openKey": KeyNames.open(phone, binding: binding),
                "sessionKey": KeyNames.session(id),
                "outboxKey": KeyNames.outbox(.messages, id.shard),
                "decisionsKey": KeyNames.decisions(shards.shard(of: reference.number)),
                "knownClientsKey": KeyNames.knownClients(phone, isTestNumber: false),
                "regionKey": check.ranges.regionKey,
                "seriesKey": check.ranges.seriesKey,
                "blockKey": check.ranges.blockKey,
                "spendingKey": KeyNames.spending(day: now / Self.dayMilliseconds),
            ],
            list: "windowKeys",
            windowKeys
        )
        let arguments: NamedValues<Argument> = [
            "now": .integer(now),
            "newID": .text(id.text),
            "newPhone": .bytes(sealedNumber),
            "project": .text(phone.project),
            "purpose": .text(purpose),
            "locale": .text(locale),
            "binding": .text(binding),
            "codeSource": .text(codeSource),
            "ending": .text(ending),
            "reference": .text(reference.digits),
            "maskedNumber": .text(maskedNumber),
            "region": .text(region),
            "proof": .text(proof),
            "isHardProof": .flag(check.isHardProof),
            "price": .integer(check.price),
            "cap": .optional(check.cap),
            "client": .text(client),
            "isOfAccount": .flag(isOfAccount),
        ]
        let rules = SendRules(
            lockMilliseconds: lockMilliseconds,
            sessionMilliseconds: sessionMilliseconds,
            attempts: attempts,
            leastLifeToResendMilliseconds: leastLifeToResendMilliseconds,
            isEnforced: check.isEnforced,
            rangeBounds: check.bounds,
            nearCapPercent: check.nearCapPercent,
            knownClientMilliseconds: check.knownClientMilliseconds,
            limits: limits
        )
        let script = sendScript(rules) {
            LuaScript.sendVerificationCode.script(keys, arguments, constants: rules.constants)
        }
        let reply = try run(script, keys: keys, arguments)
        switch try reply.outcome() {
        case "opened":
            return .opened
        case "resent":
            return .resent(try sessionID(reply, id.shard), sealedNumber: try reply.bytes(at: 2))
        case "reentered":
            return .reentered(try sessionID(reply, id.shard), sealedNumber: try reply.bytes(at: 2))
        case "limited":
            return .limited(try ExceededRateLimit(reply, of: sendLimits))
        case "stepped-up":
            guard let stepUp = StepUp(Array(try reply.texts().dropFirst())) else { throw .unexpectedReply }
            MetricFamily.smsBreakerDecisions.count(stepUp.reason, check.ranges.metricRegion)
            return .steppedUp(stepUp)
        default:
            throw .unexpectedReply
        }
    }

    /// Returns the keys of the limits' windows, and each limit with the position of its key.
    private static func windows(of sendLimits: [RateLimit]) -> (keys: [String], limits: [SendRules.Limit]) {
        var keys: [String] = []
        var limits: [SendRules.Limit] = []
        keys.reserveCapacity(sendLimits.count)
        limits.reserveCapacity(sendLimits.count)
        for limit in sendLimits {
            // Limits that share a key are adjacent.
            if keys.last != limit.key { keys.append(limit.key) }
            limits.append(
                SendRules.Limit(
                    scope: limit.scope,
                    window: limit.window,
                    bucketMilliseconds: limit.bucketMilliseconds,
                    keyPosition: keys.count
                )
            )
        }
        return (keys, limits)
    }

    private func sessionID(_ reply: ScriptReply, _ shard: Shard) throws(StoreUnavailable) -> SessionID {
        guard let id = SessionID(shard: shard, text: try reply.bytes(at: 1)) else { throw .unexpectedReply }
        return id
    }
}
