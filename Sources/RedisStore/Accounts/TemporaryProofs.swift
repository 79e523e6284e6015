internal import Redis

/// The result of redeeming a temporary proof.
public enum TemporaryProofOutcome: Sendable {
    /// The proof was valid and is now used up. `IdentifierClaim` is its number's claim, if there is any.
    case good(IdentifierClaim?)
    /// Another request used the proof.
    case used
}

extension Store {
    /// Redeems a temporary proof (single use) and finds its number's account, in one atomic step. The use is remembered
    /// for `markMilliseconds`. A number without a claim gets the `proposed` one.
    /// - Throws: ``StoreUnavailable``; a retry with the same request id is harmless.
    public func useTemporaryProof(
        _ id: TemporaryProofID,
        of phone: PhoneIdentity,
        requestID: String,
        markMilliseconds: Int64,
        proposed: IdentifierClaim?
    ) throws(StoreUnavailable) -> TemporaryProofOutcome {
        let reply = try run(
            .useTemporaryProof,
            isConfirmed: true,
            keys: ["usedKey": KeyNames.usedProof(id), "claimKey": KeyNames.identifier(phone)],
            [
                "request": .text(requestID),
                "markLife": .integer(markMilliseconds),
                "claim": .text(proposed?.text ?? ""),
            ]
        )
        switch try reply.outcome() {
        case "used": return .used
        case "good": return .good(try IdentifierClaim.current(try reply.text(at: 1)))
        default: throw .unexpectedReply
        }
    }
}
