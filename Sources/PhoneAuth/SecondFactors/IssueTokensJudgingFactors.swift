internal import RedisStore

extension Authenticator {
    /// Issues tokens if the account's second factors meet the request's need. The caller supplies the errors for an
    /// account that is disabled, and for an account that does not exist or has changed.
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
