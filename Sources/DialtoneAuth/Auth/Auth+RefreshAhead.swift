internal import Foundation

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
