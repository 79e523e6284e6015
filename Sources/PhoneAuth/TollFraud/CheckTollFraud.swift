internal import Encodings
internal import PhoneNumbers
internal import RedisStore

extension OperationContext {
    /// Returns the input that decides whether a send is stepped up (the circuit breaker against SMS pumping).
    func tollFraudCheck(of phone: E164, provenBy proof: AppProof) -> TollFraudCheck {
        let isTrusted = phone.isValid || project.unassignedNumbers == .allowed
        let isDevelopment = policy.development != nil
        let policy = policy.tollFraud
        return TollFraudCheck(
            ranges: NumberRanges(of: phone, in: project.id, keys),
            // In development, most numbers are invented, and few codes are entered.
            bounds: isTrusted || isDevelopment ? policy.bounds : policy.boundsOfUnknownNumbers,
            isEnforced: policy.mode == .enforce,
            isHardProof: proof.isHard,
            challengesNewClients: !isTrusted,
            price: policy.prices.expected(for: phone).micros,
            cap: policy.prices.cap(for: phone.effectiveRegion.description)?.micros,
            nearCapPercent: TollFraudPolicy.nearCapPercent,
            knownClientMilliseconds: KnownClients.memory.milliseconds
        )
    }

    /// Sends a network's clients to the challenge page, where they get the hard challenge. Best effort: if Redis does
    /// not respond, the next send is rejected like this one.
    func challengeNetwork(of address: String) {
        bestEffort(
            "challenge a network",
            try store.challenge(
                challengedNetwork(of: address),
                milliseconds: TollFraudPolicy.challengedNetworkMemory.milliseconds
            )
        )
    }
}

extension Authenticator {
    /// Returns the ledger entry of a message that `gateway` accepted; `gateway` is nil if none did. A series that
    /// cannot be sealed has no name in reports.
    func ledgerEntry(of message: PendingMessage, takenBy gateway: String?) -> LedgerEntry {
        let phone = message.phone
        let series = try? RangePrefix.series(of: phone).sealed(in: message.project, keys, environment)
        return LedgerEntry(
            ranges: NumberRanges(of: phone, in: message.project, keys),
            sealedSeries: series ?? [],
            price: gateway.map { policy.tollFraud.prices.price(of: $0, for: phone).micros } ?? 0,
            rangeHalfLifeMilliseconds: TollFraudPolicy.halfLife.milliseconds,
            ledgerMilliseconds: TollFraudPolicy.ledgerLife.milliseconds
        )
    }
}
