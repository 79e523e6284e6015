internal import Encodings

/// The rate limits on wrong passwords (brute force, password spraying).
extension OperationContext {
    /// Counts an attempt as wrong before the password is verified, so that concurrent attempts cannot exceed the
    /// limits.
    /// - Returns: the refund of an attempt whose password is correct or not verified.
    func countPasswordAttempt(
        for email: EmailIdentity,
        from address: String
    ) throws(SignInWithPasswordRefusal) -> RateLimitRefund? {
        let networks = networks(of: address, for: "password-network")
        let decision = try SignInWithPasswordRefusal.wrapping(
            store.decide(
                RateLimitTransaction(
                    of: project.id,
                    refundable: policy.wrongPasswordLimits.limits(for: email, by: networks),
                    eventID: requestID
                ),
                from: knownPasswordNetwork(address),
                of: email,
                now: now.milliseconds
            )
        )
        return try decision.refund { exceeded in
            SignInWithPasswordRefusal.tooManyWrongPasswords(RateLimitRefusal(exceeded))
        }
    }

    /// Forgets the wrong passwords for an address whose user has just set another one, and remembers the client.
    func forgetWrongPasswords(for email: EmailIdentity, from address: String) {
        rememberPasswordClient(of: email, from: address)
        let networks = networks(of: address, for: "password-network")
        let limits = policy.wrongPasswordLimits.limits(for: email, by: networks).filter { limit in
            if case .network = limit.scope { false } else { true }
        }
        bestEffort("forget wrong passwords", try store.reset(limits))
    }

    /// Takes back an attempt whose password was correct or not verified.
    func refund(_ attempt: RateLimitRefund?) {
        guard let attempt else { return }
        bestEffort("forget a password attempt", try store.refund(attempt, now: now.milliseconds))
    }
}
