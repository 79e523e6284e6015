internal import RedisStore

extension Authenticator {
    /// Issues tokens where the account's second factors are as the request needs them. What the caller is told of an account that is
    /// disabled, or is not there or not as it was, the caller says.
    func issueTokens(
        _ request: TokenRequest,
        whereDisabled disabled: SecondFactorRefusal,
        whereGone gone: SecondFactorRefusal,
        in project: Project,
        _ now: Instant
    ) throws(SecondFactorRefusal) -> IssuedTokens {
        let outcome: TokenOutcome
        do { outcome = try issueTokens(request, in: project, now) } catch { throw .failed(error) }
        switch outcome {
        case .issued(let tokens): return tokens
        case .secondFactorRefused(let fault): throw SecondFactorRefusal(fault)
        case .disabled: throw disabled
        case .tokenRevoked: throw .notAuthenticated(.tokenRevoked)
        case .signInTooOld: throw .notAuthenticated(.signInTooOld)
        case .noAccount, .notHeld, .exists, .recycled, .secondFactorRequired: throw gone
        }
    }
}
