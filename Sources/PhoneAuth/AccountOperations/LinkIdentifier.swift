extension OperationContext {
    /// Gives an account an identifier and issues tokens in the atomic step in which the account takes the identifier.
    ///
    /// See ``assign(_:currentClaim:to:having:revokingTokensAt:onBehalfOf:recycledNumbers:take:)``. A user who links a
    /// number has proven it, so the project's rule on recycled numbers applies.
    func link<Identity>(
        _ identifier: AccountIdentifier<Identity>,
        currentClaim: IdentifierClaim?,
        _ request: TokenRequest
    ) throws(OperationFailure) -> AssignmentOutcome<IssuedTokens> {
        let recycledNumbers = Identity.kind == .phone ? recycledNumberRule() : nil
        return try assign(
            identifier,
            currentClaim: currentClaim,
            to: request.account,
            onBehalfOf: request.presented,
            recycledNumbers: recycledNumbers
        ) { claimed throws(OperationFailure) -> AssignmentOutcome<IssuedTokens>? in
            var request = request
            request.identifier = claimed
            switch try issueTokens(request) {
            case .issued(let tokens): return .taken(tokens)
            case .hindered(let obstacle):
                switch obstacle {
                case .disabled, .token, .noAccount: return .hindered(obstacle)
                case .notHeld, .exists, .recycled, .secondFactor: return nil
                }
            }
        }
    }
}
