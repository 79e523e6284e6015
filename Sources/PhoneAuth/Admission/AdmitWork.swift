internal import Encodings
internal import RedisScripts

/// Work for a client that costs memory or CPU time before anything is known about the client.
enum ClientWork {
    /// Creating an account, or an attempt that reveals whether an e-mail address has an account (user enumeration).
    case signUp
    /// Creating an account with a custom token: the project's own server vouches for it.
    case customTokenSignUp
    /// Recreating an account with a custom token soon after its deletion. The project's server may not have asked for
    /// that: a client with the token can create and delete its account repeatedly.
    case customTokenSignUpAgain
    /// Linking an e-mail address to an account, which reveals whether another account has the address.
    case emailAddress
    /// Hashing a password.
    case passwordHash
}

/// The rate limits that work counts toward.
struct AdmissionLimits {
    /// The limits on attempts, which count every attempt whatever its outcome.
    var attempts: [RateLimit] = []
    /// The limits on accounts, which count only accounts that were created.
    var accounts: [RateLimit] = []

    /// All limits, in the order in which they are checked.
    var all: [RateLimit] { attempts + accounts }
}

/// Admission control: every operation that does ``ClientWork`` calls it before it does any of the work.
extension OperationContext {
    /// Counts the work toward the rate limits of the client's networks and of the project. Operators are not limited.
    ///
    /// An attempt counts toward the per-network limits on attempts whatever its outcome. So a response that reveals
    /// whether an account exists cannot be requested without bound (user enumeration). All clients of the project share
    /// the limits on accounts, so attempts that create nothing must not use them up: ``creatingAccount(by:creating:)``
    /// takes their counts back.
    /// - Returns: the refund of the limits on accounts; nil if there is nothing to take back.
    @discardableResult
    func admit(_ work: ClientWork...) throws(OperationFailure) -> RateLimitRefund? {
        try admit(work)
    }

    /// Counts an account that a custom token creates. Concurrent exchanges of a user's tokens count once, as does an
    /// account that is recreated within a day. An account that is recreated soon after its deletion counts toward the
    /// per-network limits on attempts instead, if they are on.
    func admitCustomTokenSignUp(of user: AccountIdentity, wasDeleted: Bool) throws(OperationFailure) {
        guard let client = requester.limitedClient else { return }
        if wasDeleted && policy.signUpsPerNetworkPerHour > 0 {
            try admit(.customTokenSignUpAgain)
            return
        }
        try checkRoomForAccount()
        let limits = admissionLimits(of: [.customTokenSignUp], from: client.address).accounts
        guard let ofProject = limits.first else { return }
        let account = RateLimitTransaction(
            of: project.id,
            limits,
            eventID: "of \(user.uid)",
            eventMilliseconds: ofProject.window.milliseconds
        )
        let decision = try OperationFailure.wrapping(store.decide(account, now: now.milliseconds))
        _ = try decision.refund(orThrow: OperationFailure.limited)
    }

    func admit(_ work: [ClientWork]) throws(OperationFailure) -> RateLimitRefund? {
        guard let client = requester.limitedClient else { return nil }
        if work.contains(where: \.createsAccount) { try checkRoomForAccount() }
        let limits = admissionLimits(of: work, from: client.address)
        let decision = try OperationFailure.wrapping(
            store.decide(
                RateLimitTransaction(
                    of: project.id,
                    limits.attempts,
                    refundable: limits.accounts,
                    eventID: client.requestID
                ),
                now: now.milliseconds
            )
        )
        return try decision.refund(orThrow: OperationFailure.limited)
    }

    /// Rejects a new account if the store has no room for it, or has lost the accounts of the deployment.
    func checkRoomForAccount() throws(OperationFailure) {
        try OperationFailure.wrapping(store.confirmDeployment())
        guard try hasRoomForAccount() else { throw .notAdmitted(.memoryNearlyFull) }
    }

    /// Returns whether the store has room for new accounts.
    ///
    /// At `maxmemory` Redis rejects the writes of all users, so new accounts are rejected before that. The rest is
    /// reserved for sign-ins, sessions and messages of existing users.
    func hasRoomForAccount() throws(OperationFailure) -> Bool {
        return try OperationFailure.wrapping(
            !caches.isMemoryNearlyFull.value { () throws(StoreUnavailable) in
                guard let use = try store.memoryUse() else { return false }
                return use.share * 100 >= Double(AdmissionRefusal.fullMemoryPercent)
            }
        )
    }

    /// Returns the limits of a network and of a project on all of this work, without those that the operator has
    /// switched off.
    func admissionLimits(of work: [ClientWork], from address: String) -> AdmissionLimits {
        let networks = networks(of: address, for: "admission").all
        var limits = AdmissionLimits()
        if work.contains(where: \.countsAsAttempt), policy.signUpsPerNetworkPerHour > 0 {
            limits.attempts += networks.map {
                .signUps(by: $0, .hour($0.width.maximum(policy.signUpsPerNetworkPerHour)))
            }
        }
        if work.contains(.passwordHash), policy.passwordHashesPerNetworkPerHour > 0 {
            limits.attempts += networks.map {
                .passwordHashes(by: $0, .hour($0.width.maximum(policy.passwordHashesPerNetworkPerHour)))
            }
        }
        if work.contains(.signUp) {
            limits.accounts += newAccountLimits(of: networks)
            if policy.signUpsPerProjectPerDay > 0 {
                limits.accounts.append(.signUps(ofProject: project.id, .day(policy.signUpsPerProjectPerDay)))
            }
        }
        if work.contains(.customTokenSignUp), policy.customTokenSignUpsPerProjectPerDay > 0 {
            limits.accounts.append(
                .customTokenSignUps(ofProject: project.id, .day(policy.customTokenSignUpsPerProjectPerDay))
            )
        }
        return limits
    }

    /// Returns the per-network limits on new accounts, if they are on.
    private func newAccountLimits(of networks: [ClientNetworks.Network]) -> [RateLimit] {
        let (perNetwork, quota) = (policy.newAccountsPerNetworkPerDay, policy.signUpsPerProjectPerDay)
        guard perNetwork > 0 || quota > 0 else { return [] }
        return networks.map { network in
            let maximum = perNetwork > 0 ? network.width.maximumOfShare(perNetwork) : .max
            return .newAccounts(by: network, .day(Policy.maximum(maximum, ofQuota: quota)))
        }
    }
}

extension ClientWork {
    fileprivate var createsAccount: Bool {
        switch self {
        case .signUp, .customTokenSignUp, .customTokenSignUpAgain: true
        case .emailAddress, .passwordHash: false
        }
    }

    fileprivate var countsAsAttempt: Bool {
        switch self {
        case .signUp, .emailAddress, .customTokenSignUpAgain: true
        case .customTokenSignUp, .passwordHash: false
        }
    }
}

extension OperationFailure {
    fileprivate static func limited(_ exceeded: ExceededRateLimit) -> OperationFailure {
        .notAdmitted(.limited(RateLimitRefusal(exceeded)))
    }
}
