public import Encodings

/// A credential that a proxy received from a client and forwards (forward authentication).
///
/// An ID token is never accepted as a session cookie, or vice versa: the two have different lifetimes.
public enum ForwardedCredential: Sendable, Confidential {
    case idToken(String)
    case sessionCookie(String)
}

extension OperationContext {
    /// Returns the user of a credential. Without `checksRevocation`, nothing is read from the store: the credential of
    /// an account that was disabled or deleted, or of a session that ended, stays valid until it expires.
    /// - Throws: ``IDTokenRefusal``.
    public func verify(
        _ credential: ForwardedCredential,
        checksRevocation: Bool
    ) throws(IDTokenRefusal) -> ForwardedUser {
        let (text, kind) =
            switch credential {
            case .idToken(let text): (text, TokenKind.idToken)
            case .sessionCookie(let text): (text, TokenKind.sessionCookie)
            }
        guard !checksRevocation else {
            let token = try verify(text, kind)
            try IDTokenRefusal.wrapping(authenticator.checkDeployment())
            _ = try identify(token)
            return ForwardedUser(token)
        }
        let cache = authenticator.forwardedUsers
        let key = ForwardedUserCache.Key(text, kind, in: project)
        if let user = cache.user(key, keys, at: now) { return user }
        let token = try verify(text, kind)
        let user = ForwardedUser(token)
        cache.keep(user, of: token, as: key)
        return user
    }

    private func verify(_ text: String, _ kind: TokenKind) throws(IDTokenRefusal) -> VerifiedIDToken {
        guard let token = VerifiedIDToken(text, kind, in: project, keys, policy, at: now) else { throw .tokenInvalid }
        return token
    }
}
