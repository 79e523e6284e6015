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
    /// Opens a session with its lock, its counters and its message, or finds the one that is already open.
    ///
    /// The message is first counted in the rate limits that are in slots other than the number's, and in the number's
    /// ranges, in one round trip. Then one atomic step in the number's slot decides and does the rest. The caller
    /// should ``correct(_:)`` the counts that were reserved but not used. A worker that dies before that leaves counts
    /// that are too high, until their windows or half-lives end.
    ///
    /// The session is for this `binding`; wrong and correct codes count for the `client`, whatever their purpose, and
    /// wrong codes for its wider `networks`, if it is identified by its network.
    /// `isOfAccount` is true if the request carries an ID token of the account that holds the number. The `reference`
    /// selects the number's shard. Limits that share a key are adjacent, the longest window last. Times are in
    /// milliseconds; `now` is since the Unix epoch.
    /// - Throws: ``StoreUnavailable``; whether the step was executed is then unknown, and a retry is harmless.
    public func openSession(
        id: SessionID,
        phone: PhoneIdentity,
        sealedNumber: [UInt8],
        binding: String,
        client: String,
        networks: ClientNetworks?,
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
    ) throws(StoreUnavailable) -> (opening: SessionOpening, unused: CountCorrection) {
        let slot = KeyNames.slot(of: KeyNames.session(id))
        let numberLimits = sendLimits.filter { KeyNames.slot(of: $0.key) == slot }
        // A session shows that Redis was the deployment's when it was opened, so a sign-in may create an account.
        var reserved: Reserved?
        if codeSource == "derived" {
            reserved = try reserve(sendLimits.filter { KeyNames.slot(of: $0.key) != slot }, check, for: id, now: now)
        } else {
            // No message is sent to a test number.
            try confirmDeployment()
        }
        let exceeded = reserved?.limits.exceeded.max { $0.retryAfter < $1.retryAfter }
        let verdict = reserved?.ranges.verdict
        let windowKey = numberLimits.first?.key ?? RateLimit.messages(to: phone, .day(1)).key
        assert(numberLimits.allSatisfy { $0.key == windowKey }, "the number's messages have one key")
        let keys: NamedValues<String> = [
            "lockKey": KeyNames.lock(phone, binding: binding),
            "sessionKey": KeyNames.session(id),
            "outboxKey": KeyNames.outbox(.messages, id.shard),
            "decisionsKey": KeyNames.sendDecisions(id.shard),
            "knownClientsKey": KeyNames.knownClients(phone),
            "windowKey": windowKey,
        ]
        let request = DecidedRequest(
            reference: reference,
            purpose: purpose,
            project: phone.project,
            maskedNumber: maskedNumber,
            region: region,
            proof: proof,
            at: now,
            limitsOfNumber: numberLimits,
            otherLimits: reserved?.words ?? "",
            breaker: verdict?.ofNewClient.words ?? "",
            knownBreaker: verdict?.ofKnownClient?.words ?? "known"
        )
        let origin = SessionOrigin(
            unlockedLife: max(0, sessionMilliseconds - lockMilliseconds),
            createdAt: now,
            project: phone.project,
            purpose: purpose
        )
        let message = MessageContent(
            project: phone.project,
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
            "binding": .text(binding),
            "client": .text(client),
            "networks": .text(networks?.namesOfWrongCodes ?? ""),
            "expires": .integer(now + sessionMilliseconds),
            "origin": .text(origin.text),
            "flags": .flags([
                isOfAccount, exceeded != nil, check.refuses(verdict?.ofNewClient),
                check.refuses(verdict?.ofKnownClient),
            ]),
            "message": .text(message.text),
            "decision": .text(request.text),
        ]
        let rules = SendRules(
            lockMilliseconds: lockMilliseconds,
            sessionMilliseconds: sessionMilliseconds,
            attempts: attempts,
            leastLifeToResendMilliseconds: leastLifeToResendMilliseconds,
            knownClientMilliseconds: check.knownClientMilliseconds,
            windows: numberLimits.map(\.window)
        )
        let script = sendScripts.script(.sendVerificationCode, rules, keys: keys, arguments)
        let (reply, failure): (ScriptReply, StoreUnavailable?)
        do {
            (reply, failure) = try runConfirmed(script, keys: keys, arguments)
        } catch {
            if error.isUnexecuted {
                bestEffort("release what a send reserved", try correct(unused(reserved, .everything)))
            }
            throw error
        }
        switch try reply.outcome() {
        case "opened": return try confirmed(.opened, unused(reserved, .nothing), failure)
        case "opened-known": return try confirmed(.opened, unused(reserved, .ranges), failure)
        case "resent":
            let isKnown = try reply.integer(at: 3) == 1
            return try confirmed(
                .resent(try sessionID(reply, id.shard), sealedNumber: try reply.bytes(at: 2)),
                unused(reserved, isKnown ? .ranges : .nothing),
                failure
            )
        case "reentered":
            return try confirmed(
                .reentered(try sessionID(reply, id.shard), sealedNumber: try reply.bytes(at: 2)),
                unused(reserved, .everything),
                failure
            )
        case "limited":
            var refusing = try ExceededRateLimit(reply, of: numberLimits)
            if let exceeded, exceeded.retryAfter > refusing.retryAfter { refusing = exceeded }
            return (.limited(refusing.reported()), unused(reserved, .everything))
        case "barred":
            guard let exceeded else { throw .unexpectedReply }
            return (.limited(exceeded.reported()), unused(reserved, .everything))
        case "stepped-up":
            let isKnown = try reply.integer(at: 1) == 1
            guard let stepUp = isKnown ? verdict?.ofKnownClient : verdict?.ofNewClient else { throw .unexpectedReply }
            MetricFamily.smsBreakerDecisions.count(stepUp.reason, check.ranges.region)
            return (.steppedUp(stepUp), unused(reserved, .everything))
        default:
            throw .unexpectedReply
        }
    }

    /// Returns the opening if replicas have the session: clients must not learn of a session that a failover could
    /// lose. Otherwise corrects the counts and throws.
    private func confirmed(
        _ opening: SessionOpening,
        _ unused: CountCorrection,
        _ failure: StoreUnavailable?
    ) throws(StoreUnavailable) -> (SessionOpening, CountCorrection) {
        guard let failure else { return (opening, unused) }
        bestEffort("release what a send reserved", try correct(unused))
        throw failure
    }

    /// What a send reserved in slots other than its number's.
    private struct Reserved {
        let limits: RateLimitReservation
        let ranges: RangeReservation
        /// The limits with their counts, this message included, for `explain`.
        let words: String
    }

    /// What a send reserved but does not use.
    private enum Unused {
        case nothing
        /// The ranges do not count messages to known clients.
        case ranges
        case everything
    }

    /// Counts a message in limits and in its ranges and compares the deployment's mark, in one round trip.
    private func reserve(
        _ limits: [RateLimit],
        _ check: TollFraudCheck,
        for id: SessionID,
        now: Int64
    ) throws(StoreUnavailable) -> Reserved {
        let reservation = startReservation(of: limits, eventID: id.text, isOwnEvent: true, now: now)
        let inRanges = startRangeReservation(check, now: now)
        do throws(StoreUnavailable) {
            let (replies, reads) = try run(reservation.calls + inRanges.calls, reading: [Self.readOfKeysMark])
            if let mark = reads.first { try compareKeys(mark) }
            let counted = try finish(reservation, replies)
            return Reserved(
                limits: counted,
                ranges: try finish(inRanges, replies.dropFirst(reservation.calls.count)),
                words: zip(limits, counted.events).map { limit, events in
                    CountedLimit.text(limit.scope.name, sends: String(events), limit.window)
                }
                .joined(separator: ";")
            )
        } catch {
            giveBack(inRanges)
            throw error
        }
    }

    private func unused(_ reserved: Reserved?, _ unused: Unused) -> CountCorrection {
        guard let reserved, unused != .nothing else { return .none }
        let ranges = reserved.ranges
        var calls = correctingCalls(
            ranges.check.ranges,
            sent: -1,
            price: unused == .everything ? -ranges.check.price : 0,
            queuedAt: ranges.at,
            now: ranges.at,
            halfLifeMilliseconds: ranges.check.bounds.halfLifeMilliseconds
        )
        if unused == .everything { calls += releases(of: reserved.limits.refund) }
        return CountCorrection(calls: calls)
    }

    private func sessionID(_ reply: ScriptReply, _ shard: Shard) throws(StoreUnavailable) -> SessionID {
        guard let id = SessionID(shard: shard, text: try reply.bytes(at: 1)) else { throw .unexpectedReply }
        return id
    }
}
