extension Authenticator {
    /// The keys with which others verify ID tokens: that which signs, that which will sign, and those whose tokens are still good.
    public var publishedKeys: [SigningKey] { keys.signingKeys.current.published }

    /// How long they may be kept. A key is published for longer than that before it signs, unless the operator lets it sign at
    /// once because the old one is in wrong hands.
    public var publicKeyCacheLifetime: Duration { policy.publicKeyCacheLifetime }
}
