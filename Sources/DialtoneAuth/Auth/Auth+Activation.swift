internal import Foundation

/// The connection to the system.
extension Auth {
    /// Connects to the system, once.
    ///
    /// - Parameters:
    ///   - presenter: shows challenge pages, unless the app has set ``challengePresenter``.
    ///   - register: asks the system for the device token.
    /// - Returns: false if it was connected already.
    func connect(
        presenter: (any ChallengePresenter)?,
        register: @escaping @MainActor @Sendable () -> Void
    ) -> Bool {
        guard verifier.registration.connect(register) else { return false }
        verifier.presenter.withLock { $0 = $0 ?? presenter }
        return true
    }

    /// Records that the system returned no device token: pending waits for one end.
    func registrationFailed(_ error: any Error) { verifier.registration.ended(error) }

    /// Handles that the app came to the foreground: reads a session that could not be read before, and refreshes tokens
    /// that are due. It does not wait for the end of a retry delay after a failure, which may be long.
    ///
    /// Users switch between apps often, so this happens at most once in ``AuthEnvironment/firstRefreshRetry``.
    func becameActive() {
        _ = currentUser
        let now = environment.deviceTime()
        state.withLock { state in
            // A clock that was set back must not prevent this forever.
            let sinceLast = state.lastActivation.map { now.timeIntervalSince($0) } ?? .infinity
            guard let user = state.user, !(0..<environment.firstRefreshRetry).contains(sinceLast) else { return }
            state.lastActivation = now
            state.refreshing?.cancel()
            state.refreshing = refreshAhead(user)
        }
    }
}
