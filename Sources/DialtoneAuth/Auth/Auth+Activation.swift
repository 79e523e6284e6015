internal import Foundation

/// What the system's layer tells and offers.
extension Auth {
    /// Connects to the system, once.
    ///
    /// - Parameters:
    ///   - presenter: shows challenge pages, unless the app has set ``challengePresenter``.
    ///   - register: asks the system for the device token.
    /// - Returns: false if that was done before.
    func connect(
        presenter: (any ChallengePresenter)?,
        register: @escaping @MainActor @Sendable () -> Void
    ) -> Bool {
        guard verifier.registration.connect(register) else { return false }
        verifier.presenter.withLock { $0 = $0 ?? presenter }
        return true
    }

    /// Takes that the system gives no device token: nobody waits for one any longer.
    func registrationFailed(_ error: any Error) { verifier.registration.ended(error) }

    /// Takes that the app is in the foreground: reads a session that could not be read before, and refreshes tokens
    /// that are due without the pause of an earlier failure, which may have been long.
    ///
    /// Users switch between apps often, so this happens at most once in ``AuthEnvironment/firstRefreshRetry``.
    func becameActive() {
        _ = currentUser
        let now = environment.deviceTime()
        state.withLock { state in
            // A clock that was set back must not end this for ever.
            let sinceLast = state.lastActivation.map { now.timeIntervalSince($0) } ?? .infinity
            guard let user = state.user, !(0..<environment.firstRefreshRetry).contains(sinceLast) else { return }
            state.lastActivation = now
            state.refreshing?.cancel()
            state.refreshing = refreshAhead(user)
        }
    }
}
