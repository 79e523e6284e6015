extension Authenticator {
    /// The public keys that verify ID tokens: the current signing key, the next one, and the former ones whose tokens
    /// are still valid.
    public var publishedKeys: [SigningKey] { keys.signingKeys.current.published }

    /// The time for which verifiers may cache the keys. A key is published for longer than that before it signs, unless
    /// the operator lets it sign at once because the old key is compromised.
    public var publicKeyCacheLifetime: Duration { policy.publicKeyCacheLifetime }
}
