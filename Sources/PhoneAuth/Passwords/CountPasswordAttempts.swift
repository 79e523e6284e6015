internal import RedisStore

/// How many wrong passwords are judged.
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

    /// Counts an attempt before it is judged, so that racing ones are not all judged.
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
