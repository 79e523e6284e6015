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

extension Auth {
    /// Starts a task that refreshes a user's tokens five minutes before they expire, until it is cancelled.
    ///
    /// After the first failure it waits a minute. The wait doubles with each further failure, up to 16 minutes, or is
    /// as long as the server asks.
    func refreshAhead(_ user: User) -> Task<Void, Never> {
        let (clock, environment) = (clock, environment)
        return Task { [weak user] in
            var retry: TimeInterval = 0
            while !Task.isCancelled {
                let due = user?.tokens.expiresAt.addingTimeInterval(-Tokens.margin).timeIntervalSince(clock.now) ?? 0
                // A device's clock may change, and sleep does not count the time that a device sleeps: so check every
                // few minutes.
                let wait = retry > 0 ? retry : min(max(due + 1, 0), 240)
                guard (try? await sleep(seconds: wait)) != nil, let user else { return }
                do {
                    _ = try await user.validTokens()
                    retry = 0
                } catch is CancellationError {
                    return
                } catch {
                    let doubled = min(max(retry * 2, environment.firstRefreshRetry), environment.lastRefreshRetry)
                    // At most an hour: without a limit, a mistake of the server could stop the refreshes for days.
                    retry = max(doubled, min(error.dialtoneRetryAfter ?? 0, 3_600))
                }
                // If the server's tokens expire too soon, do not ask it without a pause.
                if retry == 0, !user.tokens.isValid(at: clock.now) { retry = environment.firstRefreshRetry }
            }
        }
    }
}

/// The environment of an ``Auth``, which tests replace.
struct AuthEnvironment: Sendable {
    /// The device's clock.
    var deviceTime: @Sendable () -> Date = { Date() }
    /// The delay after the first failed refresh ahead of expiry, in seconds. It doubles with each failure.
    var firstRefreshRetry: TimeInterval = 60
    var lastRefreshRetry: TimeInterval = 960
    /// The longest wait for the APNs device token, in seconds.
    var longestTokenWait: TimeInterval = 5
    /// Returns how the app is signed.
    var signing: @Sendable () -> AppSigning = { .ofThisApp }
    /// Returns the app's background modes; nil if the system has none.
    var backgroundModes: @Sendable () -> [String]? = { AppSigning.backgroundModesOfThisApp }
}
