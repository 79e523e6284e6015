internal import Foundation

extension Auth {
    /// Starts to refresh a user's tokens five minutes ahead, as long as the task is not cancelled.
    ///
    /// After failures it waits for a minute at first and for 16 minutes at most, or as long as the server asks.
    func refreshAhead(_ user: User) -> Task<Void, Never> {
        let (clock, environment) = (clock, environment)
        return Task { [weak user] in
            var retry: TimeInterval = 0
            while !Task.isCancelled {
                let due = user?.tokens.expiresAt.addingTimeInterval(-Tokens.margin).timeIntervalSince(clock.now) ?? 0
                // A device's clock may change, and sleeping devices do not count: so it looks every few minutes.
                let wait = retry > 0 ? retry : min(max(due + 1, 0), 240)
                guard (try? await sleep(seconds: wait)) != nil, let user else { return }
                do {
                    _ = try await user.validTokens()
                    retry = 0
                } catch is CancellationError {
                    return
                } catch {
                    let doubled = min(max(retry * 2, environment.firstRefreshRetry), environment.lastRefreshRetry)
                    // A wait of days is a mistake, and tokens would be refreshed by calls only.
                    retry = max(doubled, min(error.dialtoneRetryAfter ?? 0, 3_600))
                }
                // A server whose tokens have too short a life must not be asked without a pause.
                if retry == 0, !user.tokens.isValid(at: clock.now) { retry = environment.firstRefreshRetry }
            }
        }
    }
}
