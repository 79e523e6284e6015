internal import Encodings
public import RedisScripts

/// Rate limits that an operator can inspect and reset.
extension OperationContext {
    /// Returns the usage of a network's rate limits, without limits that are switched off.
    /// - Throws: ``StoreUnavailable``.
    public func limits(ofNetwork address: String) throws(StoreUnavailable) -> [RateLimitUsage] {
        try usage(of: networkLimits(of: address))
    }

    /// Returns the usage of the rate limits of a project's sign-ups, without limits that are switched off.
    /// - Throws: ``StoreUnavailable``.
    public func signUpLimits() throws(StoreUnavailable) -> [RateLimitUsage] {
        try usage(of: projectLimits())
    }

    /// Resets a network's sign-ups, new accounts, password hashes and e-mails. Limits that it shares with its project
    /// are unchanged.
    /// - Returns: whether there was anything to reset.
    /// - Throws: ``StoreUnavailable``.
    public func resetLimits(ofNetwork address: String) throws(StoreUnavailable) -> Bool {
        try recordChange("limits reset --network \(address)")
        return try store.reset(networkLimits(of: address))
    }

    /// Resets a project's sign-ups, including those with custom tokens. Per-network limits are unchanged.
    /// - Returns: whether there was anything to reset.
    /// - Throws: ``StoreUnavailable``.
    public func resetSignUps() throws(StoreUnavailable) -> Bool {
        try recordChange("limits reset --sign-ups")
        return try store.reset(projectLimits())
    }

    private func networkLimits(of address: String) -> [RateLimit] {
        (admissionLimits(of: [.signUp, .passwordHash], from: address).all + mailLimits(ofNetwork: address))
            .filter { !$0.scope.isShared }
    }

    private func projectLimits() -> [RateLimit] {
        admissionLimits(of: [.signUp, .customTokenSignUp], from: "").all.filter(\.scope.isShared)
    }

    func usage(of limits: [RateLimit]) throws(StoreUnavailable) -> [RateLimitUsage] {
        var usages: [RateLimitUsage] = []
        for limit in limits { usages.append(try store.usage(of: limit, now: now.milliseconds)) }
        return usages
    }
}
