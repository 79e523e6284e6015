internal import RedisStore

/// The outcome of linking an account with an identifier.
enum LinkOutcome {
    case linked(IssuedTokens)
    /// Another account holds the identifier.
    case ofAnother
    case disabled
    /// The ID token was revoked.
    case tokenRevoked
    /// The account's state now requires a more recent sign-in than the ID token's.
    case signInTooOld
    case noAccount
}

extension Authenticator {
    /// Gives an account an identifier and issues tokens in the atomic step in which the account takes the identifier,
    /// see ``give(_:standing:to:revokingTokensAt:onBehalfOf:recycledNumbers:in:_:take:)``. A user who links a number
    /// has proven it, so the project's rule on recycled numbers applies.
    func link<Subject>(
        _ identifier: AccountIdentifier<Subject>,
        standing: IdentifierClaim?,
        _ request: TokenRequest,
        in project: Project,
        _ now: Instant
    ) throws(OperationFailure) -> LinkOutcome {
        let recycledNumbers = Subject.kind == .phone ? recycledNumberRule(in: project, now) : nil
        let outcome = try give(
            identifier,
            standing: standing,
            to: request.account,
            onBehalfOf: request.presented,
            recycledNumbers: recycledNumbers,
            in: project,
            now
        ) { claimed throws(OperationFailure) -> LinkOutcome? in
            var request = request
            request.identifier = claimed
            switch try issueTokens(request, in: project, now) {
            case .issued(let tokens): return .linked(tokens)
            case .disabled: return .disabled
            case .tokenRevoked: return .tokenRevoked
            case .signInTooOld: return .signInTooOld
            case .noAccount: return .noAccount
            case .notHeld, .exists, .recycled, .secondFactorRequired, .secondFactorRefused: return nil
            }
        }
        switch outcome {
        case .taken(let outcome): return outcome
        case .ofAnother: return .ofAnother
        case .noAccount: return .noAccount
        case .tokenRevoked: return .tokenRevoked
        case .signInTooOld: return .signInTooOld
        }
    }
}
