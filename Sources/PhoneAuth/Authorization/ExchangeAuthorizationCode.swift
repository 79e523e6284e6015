internal import Encodings
internal import RedisScripts

/// Why an authorization code was not exchanged. After the cases that say so, the code's session has ended, because the
/// code was copied or another client used it.
public enum ExchangeAuthorizationCodeRefusal: CustomStringConvertible, OperationRefusal {
    /// The text is not a code of this project, or the code has expired or was replaced.
    case codeUnknown
    /// The code was used before. The session has ended.
    case codeReused
    /// The code, redirect URI or secret is another client's. The session has ended.
    case mismatch(AuthorizationCodeTerms.Term)
    case accountDisabled
    case accountUnknown
    /// The session ended before the code was exchanged.
    case sessionEnded
    /// The project requires a second factor, and the session was started without one. The session lasts for one ID
    /// token, with which the user can enroll.
    case secondFactorMissing
    case failed(OperationFailure)

    /// One line for the operator.
    public var description: String {
        switch self {
        case .codeUnknown: "no such code, or it has expired"
        case .codeReused: "the code was used before, so it was copied; its session has ended"
        case .mismatch(let term): "wrong \(term.rawValue) for the code; its session has ended"
        case .accountDisabled: "the account is disabled"
        case .accountUnknown: "the account was deleted"
        case .sessionEnded: "the session has ended"
        case .secondFactorMissing: "the project requires a second factor, and the session has none"
        case .failed(let failure): "\(failure)"
        }
    }
}

extension OperationContext {
    /// Exchanges an authorization code for the tokens of its session (RFC 6749 § 4.1.3, RFC 7636 § 4.6).
    ///
    /// The code is used up before the terms are compared, so each code allows one guess of its secret. A second use
    /// ends the session, because one of the two clients has copied the code (RFC 6749 § 4.1.2).
    ///
    /// - Parameters:
    ///   - text: the code.
    ///   - clientID: the client's API key.
    ///   - redirectURI: the redirect URI of the request for the code.
    ///   - verifier: the secret whose hash was in the request for the code.
    /// - Returns: the session's tokens.
    /// - Throws: ``ExchangeAuthorizationCodeRefusal``.
    public func exchangeAuthorizationCode(
        _ text: String,
        clientID: String,
        redirectURI: String,
        verifier: CodeVerifier
    ) throws(ExchangeAuthorizationCodeRefusal) -> RefreshedToken {
        guard let code = AuthorizationCode(text, store.shards) else { throw .codeUnknown }
        let token = RefreshToken.make(in: code.shard, session: code.session, environment)
        let outcome = try ExchangeAuthorizationCodeRefusal.wrapping(
            store.exchangeAuthorizationCode(
                code.hash,
                of: code.identity(in: project),
                on: AuthorizationCodeTerms(
                    clientID: clientID,
                    redirectURI: redirectURI,
                    challenge: verifier.challenge
                ),
                secretHash: token.secretHash,
                requestID: requestID,
                now: now.milliseconds,
                idleMilliseconds: policy.refreshTokenIdleLifetime.milliseconds,
                usedMilliseconds: AuthorizationCode.usedMemory.milliseconds,
                client: requester.client ?? "",
                audit: audit(about: AuditedIdentifiers())
            )
        )
        switch outcome {
        case .unknown: throw .codeUnknown
        case .reused: throw .codeReused
        case .mismatch(let term): throw .mismatch(term)
        case .disabled: throw .accountDisabled
        case .noAccount: throw .accountUnknown
        case .ended: throw .sessionEnded
        case .exchanged(let session):
            guard session.isRenewed(in: project) else { throw .secondFactorMissing }
            return try ExchangeAuthorizationCodeRefusal.wrapping(failureOf: issue(token, of: session))
        }
    }
}
