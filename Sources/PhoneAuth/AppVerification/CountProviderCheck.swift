internal import Encodings
public import RedisStore

extension Authenticator {
    /// Counts a token that the challenge provider is to verify. Call it before the provider: a check blocks a thread
    /// and uses the operator's quota.
    ///
    /// - Parameters:
    ///   - address: the client's network address.
    ///   - requestID: the front end's id of the request; it is the same when the front end retries the request.
    ///   - project: the project of the provider.
    /// - Returns: the time until the client's networks may have another token checked; nil if this token may be
    ///   checked.
    /// - Throws: ``StoreUnavailable``.
    public func countProviderCheck(
        from address: String,
        requestID: String,
        in project: Project
    ) throws(StoreUnavailable) -> Duration? {
        try store.countProviderCheck(
            by: ClientNetworks(ofAddress: address, for: "provider-network", in: project, keys, among: store.shards),
            requestID: requestID,
            windowMilliseconds: Policy.challengeWindow.milliseconds,
            maximum: policy.providerChecksPerNetwork,
            now: environment.now().milliseconds
        ).map { .milliseconds($0) }
    }
}
