import PhoneAuth

/// How often things may happen.
extension SettingsReader {
    /// Work that is not limited in development mode: test suites create thousands of accounts from one address.
    func readAdmissionLimits(into policy: inout Policy, isDevelopment: Bool) throws(Failure) {
        func limit(_ key: String, _ maximum: Int, or standard: Int) throws(Failure) -> Int {
            try number(key, in: 0...maximum, or: isDevelopment ? 0 : standard)
        }
        policy.signUpsPerNetworkPerHour = try limit(
            "signUpsPerNetworkPerHour",
            1_000_000,
            or: policy.signUpsPerNetworkPerHour
        )
        policy.signUpsPerProjectPerDay = try limit(
            "signUpsPerProjectPerDay",
            1_000_000_000,
            or: policy.signUpsPerProjectPerDay
        )
        policy.newAccountsPerNetworkPerDay = try limit(
            "newAccountsPerNetworkPerDay",
            1_000_000,
            or: Policy.newAccountsPerNetworkPerDay(ofProject: policy.signUpsPerProjectPerDay)
        )
        policy.customTokenSignUpsPerProjectPerDay = try limit(
            "customTokenSignUpsPerProjectPerDay",
            1_000_000_000,
            or: policy.customTokenSignUpsPerProjectPerDay
        )
        policy.passwordHashesPerNetworkPerHour = try limit(
            "passwordHashesPerNetworkPerHour",
            1_000_000,
            or: policy.passwordHashesPerNetworkPerHour
        )
    }

    func readLimits(into policy: inout Policy) throws(Failure) {
        let limit = 1...1_000_000
        policy.sendsPerNumberPerHour = try number("sendsPerNumberPerHour", in: limit, or: policy.sendsPerNumberPerHour)
        policy.sendsPerNumberPerDay = try number("sendsPerNumberPerDay", in: limit, or: policy.sendsPerNumberPerDay)
        policy.sendsPerNetworkPerHour = try number(
            "sendsPerNetworkPerHour",
            in: limit,
            or: policy.sendsPerNetworkPerHour
        )
        policy.sendsPerAppCredentialPerHour = try number(
            "sendsPerAppCredentialPerHour",
            in: limit,
            or: policy.sendsPerAppCredentialPerHour
        )
        policy.sendsPerAppCredentialPerDay = try number(
            "sendsPerAppCredentialPerDay",
            in: limit,
            or: policy.sendsPerAppCredentialPerDay
        )
        let optionalLimit = 0...1_000_000_000
        policy.sendsPerProjectPerDay = try number(
            "sendsPerProjectPerDay",
            in: optionalLimit,
            or: policy.sendsPerProjectPerDay
        )
        policy.sendsPerHour = try number("sendsPerHour", in: optionalLimit, or: policy.sendsPerHour)
        policy.sendsPerDay = try number("sendsPerDay", in: optionalLimit, or: policy.sendsPerDay)
        policy.wrongCodesPerNumber = try number("wrongCodesPerNumber", in: 1...100, or: policy.wrongCodesPerNumber)
        policy.wrongCodesBeforeWait = try number("wrongCodesBeforeWait", in: 1...100, or: policy.wrongCodesBeforeWait)
        policy.longestWrongCodeWait = try seconds(
            "longestWrongCodeWaitSeconds",
            in: 1...86_400,
            or: policy.longestWrongCodeWait
        )
        policy.wrongPasswordsPerEmailAndNetworkPerHour = try number(
            "wrongPasswordsPerEmailAndNetworkPerHour",
            in: limit,
            or: policy.wrongPasswordsPerEmailAndNetworkPerHour
        )
        policy.wrongPasswordsPerEmailPerDay = try number(
            "wrongPasswordsPerEmailPerDay",
            in: limit,
            or: policy.wrongPasswordsPerEmailPerDay
        )
        policy.wrongPasswordsPerNetworkPerHour = try number(
            "wrongPasswordsPerNetworkPerHour",
            in: limit,
            or: policy.wrongPasswordsPerNetworkPerHour
        )
        policy.pushesPerDevicePerHour = try number(
            "pushesPerDevicePerHour",
            in: 1...1000,
            or: policy.pushesPerDevicePerHour
        )
        policy.pushesPerNetworkPerHour = try number(
            "pushesPerNetworkPerHour",
            in: limit,
            or: policy.pushesPerNetworkPerHour
        )
    }
}
