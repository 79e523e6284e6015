internal import Redis

/// What became of a temporary proof.
public enum TemporaryProofOutcome: Sendable {
    /// It was good, and is used up now; `IdentifierClaim` stands with its number, if anything does.
    case good(IdentifierClaim?)
    /// Another request used it.
    case used
}

extension Store {
    /// Uses a temporary proof up and finds its number's account, in one atomic step. That it is used is remembered for
    /// `markMilliseconds`. A number without a claim gets the one that is `proposed`.
    /// - Throws: ``StoreUnavailable``; repeating it with the same request id is harmless.
    public func useTemporaryProof(
        _ id: TemporaryProofID,
        of phone: PhoneIdentity,
        requestID: String,
        markMilliseconds: Int64,
        proposed: IdentifierClaim?
    ) throws(StoreUnavailable) -> TemporaryProofOutcome {
        let reply = try run(
            Scripts.useTemporaryProof,
            isConfirmed: true,
            keys: [KeyNames.usedProof(id), KeyNames.identifier(phone)],
            [.text(requestID), .integer(markMilliseconds), .text(proposed?.text ?? "")]
        )
        switch try reply.outcome() {
        case "used": return .used
        case "good": return .good(try IdentifierClaim.standing(try reply.text(at: 1)))
        default: throw .unexpectedReply
        }
    }
}
