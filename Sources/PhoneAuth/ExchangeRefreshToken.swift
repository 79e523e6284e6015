public import Encodings
public import RedisStore

/// What a refresh token was exchanged for.
public struct RefreshedToken: Sendable, Confidential {
    /// Proves the user to other servers for an hour.
    public let idToken: String
    /// The refresh token to keep from now on.
    public let refreshToken: String
    /// The account's `localId`.
    public let uid: String
}

/// Why a refresh token was not exchanged.
public enum ExchangeRefreshTokenRefusal: Error {
    case tokenUnknown
    case accountDisabled
    case accountUnknown
    /// Issued before the account's tokens were revoked.
    case tokenRevoked
    case unavailable(StoreUnavailable)
    case internalFailure
}

extension Authenticator {
    /// Exchanges a refresh token for a new ID token; the time of the sign-in stays what it was.
    /// - Throws: ``ExchangeRefreshTokenRefusal``.
    public func exchangeRefreshToken(_ text: String, in project: Project) throws(ExchangeRefreshTokenRefusal)
        -> RefreshedToken
    {
        guard let token = RefreshToken(text, store.shards) else { throw .tokenUnknown }
        let now = environment.now()
        let outcome: RefreshTokenOutcome
        do {
            outcome = try store.exchangeRefreshToken(
                token.identity(in: project),
                now: now.milliseconds,
                idleMilliseconds: policy.refreshTokenIdleLifetime.milliseconds
            )
        } catch {
            throw .unavailable(error)
        }
        switch outcome {
        case .unknown: throw .tokenUnknown
        case .disabled: throw .accountDisabled
        case .noAccount: throw .accountUnknown
        case .revoked: throw .tokenRevoked
        case .refreshed(let session):
            guard let provider = SignInProvider(rawValue: session.provider) else { throw .internalFailure }
            let account = Account(session.account, session.record, keys)
            let idToken = IDToken(
                of: account,
                signedInAt: Instant(milliseconds: session.signedInAt),
                with: provider,
                issuedAt: now,
                in: project,
                policy
            )
            do {
                let signed = try idToken.signed(with: keys.signingKey(at: now))
                return RefreshedToken(idToken: signed, refreshToken: text, uid: account.uid)
            } catch {
                throw .internalFailure
            }
        }
    }
}
