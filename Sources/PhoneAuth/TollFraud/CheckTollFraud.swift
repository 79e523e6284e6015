internal import Encodings
internal import PhoneNumbers
internal import RedisScripts

extension OperationContext {
    /// Returns the input that decides whether a send is stepped up (the circuit breaker against SMS pumping).
    func tollFraudCheck(
        of phone: E164,
        provenBy proof: AppProof,
        _ request: SendVerificationCodeRequest
    ) -> TollFraudCheck {
        let isTrusted = phone.isValid || project.unassignedNumbers == .allowed
        let isDevelopment = policy.development != nil
        let policy = policy.tollFraud
        let price = policy.prices.expected(for: phone)
        return TollFraudCheck(
            ranges: NumberRanges(of: phone, in: project.id, keys),
            // In development, most numbers are invented, and few codes are entered.
            bounds: isTrusted || isDevelopment ? policy.bounds : policy.boundsOfUnknownNumbers,
            isEnforced: policy.mode == .enforce,
            isHardProof: proof.isHard,
            challengesNewClients: !isTrusted,
            price: price == .zero ? 0 : (price * project.segments(of: request)).micros,
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
    /// Returns the ledger entry of a message that a gateway accepted at this price; zero if none did. A series that
    /// cannot be sealed has no name in reports.
    func ledgerEntry(of message: PendingMessage, price: Money) -> LedgerEntry {
        let phone = message.phone
        let series = try? RangePrefix.series(of: phone).sealed(in: message.project, keys, environment)
        return LedgerEntry(
            ranges: NumberRanges(of: phone, in: message.project, keys),
            sealedSeries: series ?? [],
            price: price.micros,
            rangeHalfLifeMilliseconds: TollFraudPolicy.halfLife.milliseconds,
            ledgerMilliseconds: TollFraudPolicy.ledgerLife.milliseconds
        )
    }
}
