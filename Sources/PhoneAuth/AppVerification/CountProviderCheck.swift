internal import Encodings
public import RedisScripts

extension OperationContext {
    /// Counts a token before a CAPTCHA provider verifies it, or before it is decoded for Play Integrity: a check blocks
    /// a thread and uses the operator's quota.
    ///
    /// - Parameter address: the client's network address.
    /// - Returns: the time until the client's networks may have another token checked; nil if this token may be
    ///   checked.
    /// - Throws: ``StoreUnavailable``.
    public func countProviderCheck(from address: String) throws(StoreUnavailable) -> Duration? {
        let limits = networks(of: address, for: "provider-network").all.map { network in
            RateLimit.providerChecks(
                by: network,
                RateLimit.Window(
                    milliseconds: ChallengeDemand.window.milliseconds,
                    maximum: network.width.maximum(policy.providerChecksPerNetwork)
                )
            )
        }
        let check = RateLimitTransaction(of: project.id, limits, eventID: requestID)
        switch try store.decide(check, now: now.milliseconds) {
        case .allowed: return nil
        case .exceeded(let exceeded): return exceeded.retryAfter
        }
    }
}
