internal import Redis

/// The arguments of the script `send-verification-code.lua` for an opening.
extension SessionOpening {
    /// Returns the keys in the script's order, and each limit with the position of its key.
    func keysAndLimits(among shards: ShardCount) -> (keys: [String], limits: [SendRules.Limit]) {
        var keys = [
            KeyNames.lock(phone, binding: binding),
            KeyNames.open(phone, binding: binding),
            KeyNames.session(id),
            KeyNames.outbox(.messages, id.shard),
            KeyNames.decisions(shards.shard(of: reference.number)),
            KeyNames.knownClients(phone, isTestNumber: false),
        ]
        keys += tollFraudCheck.ranges.keys
        keys.append(KeyNames.spending(day: now / Store.dayMilliseconds))
        var limits: [SendRules.Limit] = []
        limits.reserveCapacity(sendLimits.count)
        var former: SendLimit?
        for limit in sendLimits {
            // If each send is stored, all windows share one key.
            if limit.counter.isBucketed || former?.counter != limit.counter { keys.append(KeyNames.sends(limit)) }
            former = limit
            limits.append(
                SendRules.Limit(
                    scope: limit.counter.scope,
                    windowMilliseconds: limit.windowMilliseconds,
                    bucketMilliseconds: limit.bucketMilliseconds,
                    maximum: limit.maximum,
                    reserved: limit.reservedForKnownClients,
                    keyPosition: keys.count
                )
            )
        }
        return (keys, limits)
    }

    /// Returns the settings that all sends with these limits share.
    func rules(_ limits: [SendRules.Limit]) -> SendRules {
        SendRules(
            lockMilliseconds: lockMilliseconds,
            sessionMilliseconds: sessionMilliseconds,
            attempts: attempts,
            leastLifeToResendMilliseconds: leastLifeToResendMilliseconds,
            isEnforced: tollFraudCheck.isEnforced,
            rangeBounds: tollFraudCheck.bounds,
            nearCapPercent: tollFraudCheck.nearCapPercent,
            knownClientMilliseconds: tollFraudCheck.knownClientMilliseconds,
            limits: limits
        )
    }

    /// The arguments in the script's order.
    var arguments: [Argument] {
        [
            .integer(now), .text(id.text), .bytes(sealedNumber), .text(phone.project), .text(purpose), .text(locale),
            .text(binding), .text(codeSource), .text(ending), .text(reference.digits), .text(maskedNumber),
            .text(region), .text(proof), .text(tollFraudCheck.isHardProof ? "hard" : "ordinary"),
            .integer(tollFraudCheck.price), tollFraudCheck.cap.map { .integer($0) } ?? "",
            .text(client == binding ? "" : client), .text(isOfAccount ? "1" : ""),
        ]
    }
}
