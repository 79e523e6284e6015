internal import Encodings
public import RedisStore

extension Authenticator {
    /// Counts a token that the provider of a third-party challenge is to be asked about. It happens before the provider
    /// is asked: a check holds a thread, and costs the operator's quota.
    ///
    /// - Parameters:
    ///   - address: the client's network address.
    ///   - requestID: the front end's name for the request, the same when it repeats it.
    ///   - project: whose provider it is.
    /// - Returns: how long until the client's networks may have another token checked; nil if this one may be.
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
