extension Authenticator {
    /// The keys with which others verify ID tokens: that which signs, that which will sign, and those whose tokens are still good.
    public var publishedKeys: [SigningKey] { keys.signingKeys.current.published }

    /// How long they may be kept. A token never has a key that was not published for so long.
    public var publicKeyCacheLifetime: Duration { policy.publicKeyCacheLifetime }
}
