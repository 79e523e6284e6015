import PhoneAuth

extension ReadSettings {
    /// Returns the policy: lifetimes and rate limits.
    func policy(_ gateways: GatewaySettings) -> Policy {
        var policy = deployment.policy
        policy.development = faults.collect(try development()) ?? nil
        policy.tollFraud = tollFraud(gateways)
        return policy
    }

    /// Returns the exceptions of development mode. They do not exist in production, where a setting that requests one
    /// is rejected.
    private func development() throws(FaultySetting) -> DevelopmentPolicy? {
        let isUnsigned = deployment.issuesUnsignedTokens
        if mode == .development { return DevelopmentPolicy(issuesUnsignedTokens: isUnsigned) }
        guard !isUnsigned else {
            throw deployment.fault(
                \.issuesUnsignedTokens,
                .because("only development mode issues unsigned tokens; remove it")
            )
        }
        return nil
    }
}
