internal import Encodings
internal import PhoneNumbers

extension OperationContext {
    /// Returns the input that decides whether a send is stepped up (the circuit breaker against SMS pumping).
    func tollFraudCheck(
        of phone: E164,
        provenBy proof: AppProof,
        price: Money
    ) -> TollFraudCheck {
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
            price: price,
            cap: policy.prices.cap(for: phone.effectiveRegion.description)
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
