internal import Redis
public import RedisScripts

/// The result of redeeming a temporary proof.
public enum TemporaryProofOutcome: Sendable {
    /// The proof was valid and is now used up. The associated value is its number's claim, if any.
    case good(IdentifierClaim?)
    /// Another request used the proof.
    case used
}

extension Store {
    /// Redeems a temporary proof (single use), then finds its number's account. The use is remembered for
    /// `markMilliseconds`. A number without a claim gets the `proposed` one.
    /// - Throws: ``StoreUnavailable``; a retry with the same request id is harmless.
    public func useTemporaryProof(
        _ id: TemporaryProofID,
        of phone: PhoneIdentity,
        requestID: String,
        markMilliseconds: Int64,
        proposed: IdentifierClaim?
    ) throws(StoreUnavailable) -> TemporaryProofOutcome {
        let call = ScriptCall(
            .useOnce,
            keys: ["usedKey": KeyNames.usedProof(id)],
            ["request": .text(requestID), "markLife": .integer(markMilliseconds)]
        )
        let reply = try run(call, isConfirmed: true)
        guard try reply.integer() == 1 else { return .used }
        guard let proposed else { return .good(try claim(of: phone)) }
        return .good(try claimIdentifier(phone, proposed, replacing: nil))
    }
}
