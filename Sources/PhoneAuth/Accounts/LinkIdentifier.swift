internal import RedisStore

/// What came of linking an account with an identifier.
enum LinkOutcome {
    case linked(IssuedTokens)
    /// It is another account's.
    case ofAnother
    case disabled
    /// The ID token was revoked.
    case tokenRevoked
    /// The ID token's sign-in is too old for what the account has become.
    case signInTooOld
    case noAccount
}

extension Authenticator {
    /// Gives an account an identifier and issues tokens in the step in which the account takes it, see
    /// ``give(_:standing:to:revokingTokensAt:onBehalfOf:recycledNumbers:in:_:take:)``. Anyone who links a number has
    /// proven it, so the project's rule on recycled ones is for it.
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
