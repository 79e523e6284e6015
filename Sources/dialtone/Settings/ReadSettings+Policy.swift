import PhoneAuth

extension ReadSettings {
    /// How long things live and how often they may happen.
    func policy(_ gateways: GatewaySettings) throws(Failure) -> Policy {
        var policy = deployment.policy
        policy.newAccountsPerNetworkPerDay =
            deployment.newAccountsPerNetworkPerDay
            ?? Policy.newAccountsPerNetworkPerDay(ofProject: policy.signUpsPerProjectPerDay)
        policy.development = try development()
        policy.tollFraud = try tollFraud(gateways)
        return policy
    }

    /// What development mode allows. In production there is no such policy, and a setting that asks for it is refused.
    private func development() throws(Failure) -> DevelopmentPolicy? {
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
