internal import RedisStore

/// The rate limits on wrong passwords (brute force, password spraying).
extension Authenticator {
    func passwordAttempt(
        for email: EmailIdentity,
        _ request: SignInWithPasswordRequest,
        in project: Project
    ) -> PasswordAttempt {
        PasswordAttempt(
            email: email,
            networks: ClientNetworks(
                ofAddress: request.client.networkAddress,
                for: "password-network",
                in: project,
                keys,
                among: store.shards
            ),
            knownNetwork: knownPasswordNetwork(request.client.networkAddress, in: project),
            id: request.requestID,
            now: environment.now().milliseconds,
            limits: policy.wrongPasswordLimits
        )
    }

    /// Counts an attempt before the password is verified, so that concurrent attempts cannot exceed the limits.
    func count(_ attempt: PasswordAttempt) throws(SignInWithPasswordRefusal) {
        let outcome: PasswordAttempt.Outcome
        do {
            outcome = try store.countPasswordAttempt(attempt)
        } catch {
            throw .failed(.unavailable(error))
        }
        guard case .limited(let counter, let retryAfterMilliseconds) = outcome else { return }
        throw .tooManyWrongPasswords(counter, retryAfter: .milliseconds(retryAfterMilliseconds))
    }
}
